package dev.verbena.roce;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import dev.verbena.verbs.VerbsException;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What would hurt other tests of the same process: run as a process of its own, it says on
/// standard output what it saw.
final class CarelessProgram {
    static final int FILES_OF_A_DEVICE = 24;
    private static final Duration LONG = Duration.ofSeconds(30);

    private CarelessProgram() {}

    /// Runs one of them: `files ADDRESS ADDRESS`, `opens URI` or `forget ADDRESS`.
    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "files" -> runOutOfFiles(args[1], args[2]);
            case "opens" -> openWithFewFiles(args[1]);
            default -> forget(args[1]);
        }
        System.exit(0);
    }

    /// Takes all files, writes to a peer that the device never sent to, gives the files back and
    /// writes over a new connection.
    private static void runOutOfFiles(String own, String other) throws IOException {
        try (Device left = TransferCheck.open("roce://" + own);
                Device right = TransferCheck.open("roce://" + other)) {
            ProtectionDomain here = left.protectionDomain();
            ProtectionDomain there = right.protectionDomain();
            CompletionQueue done = left.completionQueue(16);
            CompletionQueue arrived = right.completionQueue(16);
            MemoryRegion from = here.allocate(64, Access.LOCAL_WRITE);
            MemoryRegion to = there.allocate(64, Access.REMOTE_WRITE, Access.LOCAL_WRITE);
            // The first write also loads classes, for which files are needed here.
            for (boolean isFull : new boolean[] {false, true, false}) {
                QueuePair pair = here.queuePair(QueuePairType.RC, it -> it.completions(done));
                QueuePair peer = there.queuePair(QueuePairType.RC, it -> it.completions(arrived));
                pair.connect(peer.endpoint());
                peer.connect(pair.endpoint());
                List<FileInputStream> files = isFull ? takeAllFiles() : List.of();
                pair.post(batch -> batch.write(from.slice(), to.remote()).signaled());
                List<String> seen = new ArrayList<>();
                int count = done.await(LONG, it -> seen.add(it.status().toString()));
                for (FileInputStream file : files) {
                    file.close();
                }
                System.out.println(
                        (isFull ? "without files: " : "with files: ") + count + " " + seen);
            }
        }
    }

    /// Opens a device with one file left, then with two, and so on; then with all of them.
    private static void openWithFewFiles(String uri) throws Exception {
        loadClasses();
        TransferCheck.open(uri).close();
        for (int left = 1; left < FILES_OF_A_DEVICE; left++) {
            long before = openFiles();
            List<FileInputStream> files = takeAllFiles();
            for (int i = 0; i < left; i++) {
                files.removeLast().close();
            }
            String what = "opened";
            try {
                TransferCheck.open(uri).close();
            } catch (VerbsException refused) {
                what = "refused";
            }
            for (FileInputStream file : files) {
                file.close();
            }
            long after = openFiles();
            TransferCheck.open(uri).close();
            System.out.println(what + ", " + (after - before) + " left open, opened again");
        }
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }

    /// Without files no class can be loaded from a folder.
    private static void loadClasses() throws Exception {
        Path folder =
                Path.of(
                        RoceProvider.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder.resolve("dev/verbena/roce"))) {
                for (Path file : files.toList()) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(".class") && !name.startsWith("package-info")) {
                        Class.forName("dev.verbena.roce." + name.substring(0, name.length() - 6));
                    }
                }
            }
        }
        try {
            TransferCheck.open("roce://192.0.2.1");
        } catch (VerbsException refused) {
            // So that the classes of a refusal are there.
        }
    }

    private static List<FileInputStream> takeAllFiles() {
        List<FileInputStream> files = new ArrayList<>();
        try {
            while (true) {
                files.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException full) {
            return files;
        }
    }

    private static void forget(String own) throws InterruptedException {
        WeakReference<Device> device = new WeakReference<>(TransferCheck.open("roce://" + own));
        long endNs = System.nanoTime() + LONG.toNanos();
        while (System.nanoTime() - endNs < 0 && (device.get() != null || hasThread())) {
            System.gc();
            Thread.onSpinWait();
        }
        System.out.println("forgotten");
    }

    private static boolean hasThread() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(it -> it.getName().startsWith("verbena roce"));
    }
}
