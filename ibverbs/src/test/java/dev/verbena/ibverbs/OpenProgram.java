package dev.verbena.ibverbs;

import dev.verbena.verbs.Devices;
import dev.verbena.verbs.VerbsException;

/// Lists the devices of this machine, tries to open one, and prints what is refused.
final class OpenProgram {
    private OpenProgram() {}

    public static void main(String[] args) {
        System.out.println(Devices.available());
        try (var device = Devices.open(args[0])) {
            System.out.println("open: " + device.name());
        } catch (VerbsException refusal) {
            System.out.println(refusal);
        }
    }
}
