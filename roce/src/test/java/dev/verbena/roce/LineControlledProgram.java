package dev.verbena.roce;

import dev.verbena.testkit.Wait;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/// A [LineControlledDevice] as a program of its own, which talks by lines.
final class LineControlledProgram {
    private LineControlledProgram() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        try (LineControlledDevice device = new LineControlledDevice(args[0], args[1])) {
            System.out.println("ready");
            String line = "";
            while (!line.equals("end") && !System.out.checkError()) {
                device.serve();
                if (in.ready()) {
                    line = in.readLine();
                    System.out.println(line.equals("end") ? "over" : device.obey(line));
                } else {
                    Wait.step();
                }
            }
        }
    }
}
