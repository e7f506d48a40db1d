package dev.verbena.roce;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.CompletionQueue;
import dev.verbena.verbs.Device;
import dev.verbena.verbs.MemoryRegion;
import dev.verbena.verbs.ProtectionDomain;
import dev.verbena.verbs.QueuePair;
import dev.verbena.verbs.QueuePairType;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What would hurt other tests of the same process: run as a process of its own, it says on
/// standard output what it saw.
final class CarelessProgram {
    private static final Duration LONG = Duration.ofSeconds(30);

    private CarelessProgram() {}

    /// Runs one of the two: `files ADDRESS ADDRESS` or `forget ADDRESS`.
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args[0].equals("files")) {
            runOutOfFiles(args[1], args[2]);
        } else {
            forget(args[1]);
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
