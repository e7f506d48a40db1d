package dev.verbena.roce;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// A [Resident] as a program of its own, which talks by lines.
final class ResidentProgram {
    private ResidentProgram() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (Resident resident = new Resident(args[0], args[1])) {
            System.out.println("ready");
            String line = "";
            while (!line.equals("end") && !System.out.checkError()) {
                resident.serve();
                if (in.ready()) {
                    line = in.readLine();
                    System.out.println(line.equals("end") ? "over" : resident.obey(line));
                } else {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
                }
            }
        }
    }
}
