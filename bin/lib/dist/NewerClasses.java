import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Gives the classes of a jar the version of Java 8 if theirs is older, with the stack maps that it
/// needs: `java NewerClasses.java JAR`. Their code is as it was.
///
/// The JVM keeps no class older than Java 6 in its cache, so it would read and check each one at
/// every start. Half the start of the command went there.
final class NewerClasses {
    private static final int WANTED = ClassFile.JAVA_8_VERSION;

    private final Map<String, byte[]> classes = new HashMap<>();
    private final ClassFile file =
            ClassFile.of(
                    ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                    ClassFile.ClassHierarchyResolverOption.of(
                            ClassHierarchyResolver.ofResourceParsing(this::stream)
                                    .orElse(ClassHierarchyResolver.defaultResolver())));

    private java.io.InputStream stream(ClassDesc name) {
        String descriptor = name.descriptorString();
        byte[] bytes = classes.get(descriptor.substring(1, descriptor.length() - 1) + ".class");
        return bytes == null ? null : new java.io.ByteArrayInputStream(bytes);
    }

    public static void main(String[] arguments) throws IOException {
        new NewerClasses().change(Path.of(arguments[0]));
    }

    private void change(Path jar) throws IOException {
        URI inside = URI.create("jar:" + jar.toUri());
        try (FileSystem zip = FileSystems.newFileSystem(inside, Map.of())) {
            Path root = zip.getPath("/");
            List<Path> all;
            try (Stream<Path> paths = Files.walk(root)) {
                all = paths.filter(it -> it.toString().endsWith(".class")).toList();
            }
            for (Path each : all) {
                classes.put(root.relativize(each).toString(), Files.readAllBytes(each));
            }
            int changed = 0;
            for (Path each : all) {
                ClassModel model = file.parse(Files.readAllBytes(each));
                if (model.majorVersion() < WANTED) {
                    Files.write(each, file.transformClass(model, version()));
                    changed++;
                }
            }
            System.out.printf("%s: %d of %d classes%n", jar.getFileName(), changed, all.size());
        }
    }

    private static ClassTransform version() {
        // A body that no transform passes over would be copied, without stack maps.
        return ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)
                .andThen(ClassTransform.dropping(it -> it instanceof ClassFileVersion))
                .andThen(ClassTransform.endHandler(it -> it.with(ClassFileVersion.of(WANTED, 0))));
    }
}
