import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.model.AccessModifier;
import japicmp.model.JApiChangeStatus;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import japicmp.model.JApiCompatibilityChange;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Compares the API of two sets of jars and fails for a breaking change that the changelog does not
/// list. Called by `bin/api-diff`, with japicmp on the class path:
///
/// ```
/// ApiDiff BASELINE-FILE OLD-JARS NEW-JARS CHANGELOG
/// ```
///
/// The new directory holds `MODULE.jar` for each module of the file, the old one for those with
/// API; beside both, in `lib`, are the libraries that their types refer to.
final class ApiDiff {
    private static final Pattern QUOTED = Pattern.compile("`([\\w.]+)(?:\\([^`]*\\))?`");

    private final Set<String> listed;
    private final Map<String, Set<String>> api = new LinkedHashMap<>();
    private final Map<String, Set<String>> free = new LinkedHashMap<>();
    private final Set<String> missing = new LinkedHashSet<>();
    private int breaks;

    private ApiDiff(List<String> baseline, List<String> changelog) {
        for (String line : baseline) {
            String[] words = line.strip().split("\\s+");
            switch (words[0]) {
                case "api" -> api.computeIfAbsent(words[1], _ -> new TreeSet<>()).add(words[2]);
                case "free" -> free.computeIfAbsent(words[1], _ -> new TreeSet<>()).add(words[2]);
                default -> {} // the commit, and comments
            }
        }
        listed = breaking(changelog);
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 4) {
            System.err.println("usage: ApiDiff BASELINE-FILE OLD-JARS NEW-JARS CHANGELOG");
            System.exit(2);
        }
        ApiDiff diff =
                new ApiDiff(
                        Files.readAllLines(Path.of(arguments[0])),
                        Files.readAllLines(Path.of(arguments[3])));
        Path before = Path.of(arguments[1]);
        Path after = Path.of(arguments[2]);
        for (Map.Entry<String, Set<String>> module : diff.api.entrySet()) {
            String jar = module.getKey() + ".jar";
            diff.exports(module.getKey(), module.getValue(), after.resolve(jar));
            diff.types(module.getValue(), before, after, jar);
        }
        for (String module : diff.free.keySet()) {
            if (!diff.api.containsKey(module)) {
                diff.exports(module, Set.of(), after.resolve(module + ".jar"));
            }
        }
        System.exit(diff.report() ? 0 : 1);
    }

    /// The names in backquotes under "Breaking" of the newest version, which stands first.
    private static Set<String> breaking(List<String> changelog) {
        Set<String> names = new TreeSet<>();
        int versions = 0;
        boolean inside = false;
        for (String line : changelog) {
            if (line.startsWith("## ")) {
                versions++;
            }
            if (line.startsWith("## ") || line.startsWith("### ")) {
                inside = versions == 1 && line.strip().equals("### Breaking");
            } else if (inside) {
                QUOTED.matcher(line).results().forEach(found -> names.add(found.group(1)));
            }
        }
        return names;
    }

    /// japicmp knows no modules: a package that is exported no longer is a break as well.
    private void exports(String module, Set<String> packages, Path jar) {
        ModuleDescriptor descriptor =
                ModuleFinder.of(jar).findAll().iterator().next().descriptor();
        Set<String> exported =
                descriptor.exports().stream()
                        .filter(export -> !export.isQualified())
                        .map(ModuleDescriptor.Exports::source)
                        .collect(Collectors.toCollection(TreeSet::new));
        for (String name : packages) {
            if (!exported.contains(name)) {
                found(name, name, "the module " + descriptor.name() + " does not export it");
            }
        }
        exported.removeAll(packages);
        exported.removeAll(free.getOrDefault(module, Set.of()));
        for (String name : exported) {
            missing.add(
                    name + " is exported by " + module + ", and .ci/api-baseline calls it neither"
                            + " api nor free");
        }
    }

    private void types(Set<String> packages, Path before, Path after, String jar)
            throws IOException {
        JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
        options.setAccessModifier(AccessModifier.PROTECTED);
        options.setClassPathMode(
                JarArchiveComparatorOptions.ClassPathMode.TWO_SEPARATE_CLASSPATHS);
        options.setOldClassPath(jars(before, jar));
        options.setNewClassPath(jars(after, jar));
        List<JApiClass> types =
                new JarArchiveComparator(options)
                        .compare(archive(before.resolve(jar)), archive(after.resolve(jar)));
        for (JApiClass type : types) {
            String name = type.getFullyQualifiedName();
            boolean isApi = packages.contains(name.substring(0, name.lastIndexOf('.')));
            if (isApi && !(type.isBinaryCompatible() && type.isSourceCompatible())) {
                type(type, name.replace('$', '.'), name.substring(name.lastIndexOf('.') + 1));
            }
        }
    }

    private void type(JApiClass type, String fullName, String binaryName) {
        String name = binaryName.replace('$', '.');
        int before = breaks;
        if (type.getChangeStatus() == JApiChangeStatus.REMOVED) {
            found(fullName, name, "removed");
            return;
        }
        member(type, fullName, name);
        member(type.getSuperclass(), fullName, name);
        type.getInterfaces().forEach(each -> member(each, fullName, name));
        type.getConstructors().forEach(each -> member(each, fullName, name));
        type.getMethods().forEach(each -> member(each, fullName, name, each.getName()));
        type.getFields().forEach(each -> member(each, fullName, name, each.getName()));
        if (breaks == before) { // in a place that is none of these, such as a type parameter
            found(fullName, name, "changed");
        }
    }

    private void member(JApiCompatibility member, String type, String shortType, String name) {
        member(member, type + "." + name, shortType + "." + name);
    }

    private void member(JApiCompatibility member, String fullName, String name) {
        String problems =
                member.getCompatibilityChanges().stream()
                        .filter(each -> !(each.isBinaryCompatible() && each.isSourceCompatible()))
                        .map(JApiCompatibilityChange::getType)
                        .map(type -> type.name().toLowerCase().replace('_', ' '))
                        .distinct()
                        .collect(Collectors.joining(", "));
        if (!problems.isEmpty()) {
            found(fullName, name, problems);
        }
    }

    private void found(String fullName, String name, String problem) {
        breaks++;
        boolean isListed = listed.contains(name) || listed.contains(fullName);
        System.out.printf("%s %s: %s%n", isListed ? "listed  " : "UNLISTED", fullName, problem);
        if (!isListed) {
            missing.add("a breaking change of `" + name + "` is not listed");
        }
    }

    private boolean report() {
        System.out.printf(
                "%d packages, %d breaking changes, %d problems%n",
                api.values().stream().mapToInt(Set::size).sum(), breaks, missing.size());
        missing.forEach(System.out::println);
        if (breaks > 0 && !missing.isEmpty()) {
            System.out.println(
                    "Undo the change, or name it, in backquotes, under \"### Breaking\" of the\n"
                            + "newest version in CHANGELOG.md, and say there what to use instead.");
        }
        return missing.isEmpty();
    }

    private static JApiCmpArchive archive(Path jar) {
        return new JApiCmpArchive(jar.toFile(), jar.getFileName().toString());
    }

    /// What the types of a jar may refer to: the other jars beside it.
    private static List<String> jars(Path directory, String jar) throws IOException {
        try (Stream<Path> own = Files.list(directory);
                Stream<Path> libraries = Files.list(directory.resolveSibling("lib"))) {
            return Stream.concat(own, libraries)
                    .filter(file -> file.toString().endsWith(".jar") && !file.endsWith(jar))
                    .map(Path::toString)
                    .toList();
        }
    }
}
