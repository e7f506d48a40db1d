package dev.verbena.ibverbs;

import dev.verbena.ibverbs.Library.Answer;
import dev.verbena.verbs.NoDeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// The devices that libibverbs sees, and how one is opened.
final class DeviceNames {
    private DeviceNames() {}

    static List<String> all(Verbs verbs) {
        List<String> names = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            long count = arena.allocate(ValueLayout.JAVA_LONG).address();
            long list = verbs.deviceList(count);
            if (list != 0) {
                for (int i = 0; i < Memory.getInt(count); i++) {
                    names.add(name(device(list, i)));
                }
                verbs.freeDeviceList(list);
            }
        }
        return names;
    }

    /// Opens a context of the device of this name.
    ///
    /// @throws NoDeviceException when there is none, or it cannot be opened, with the reason
    static long open(Verbs verbs, String who, String name) {
        List<String> known = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            long count = arena.allocate(ValueLayout.JAVA_LONG).address();
            long list = verbs.deviceList(count);
            int devices = list == 0 ? 0 : Memory.getInt(count);
            for (int i = 0; i < devices; i++) {
                known.add(name(device(list, i)));
                if (name.equals(known.getLast())) {
                    Answer answer = verbs.openDevice(device(list, i));
                    verbs.freeDeviceList(list);
                    return opened(who, answer);
                }
            }
            if (list != 0) {
                verbs.freeDeviceList(list);
            }
        }
        throw new NoDeviceException(
                who,
                known.isEmpty() ? "the kernel has no RDMA device" : "there is none of this name",
                known.isEmpty()
                        ? "load the NIC's driver, or use roce://ADDRESS; verbena doctor finds the"
                                + " cause"
                        : "use one of " + known);
    }

    private static long opened(String who, Answer answer) {
        if (answer.value() != 0) {
            return answer.value();
        }
        throw new NoDeviceException(
                who,
                "it cannot be opened: " + Errno.text(answer.errno()),
                switch (answer.errno()) {
                    case Errno.EACCES, Errno.EPERM ->
                            "let this user read and write /dev/infiniband/uverbs*";
                    case Errno.ENODEV ->
                            "check /dev/infiniband: a container must be given uverbs* of the host";
                    default -> "run verbena doctor on this host";
                });
    }

    private static long device(long list, int index) {
        return Memory.getLong(list + (long) index * Structs.POINTER);
    }

    private static String name(long device) {
        return Memory.text(device + Structs.Device.NAME);
    }
}
