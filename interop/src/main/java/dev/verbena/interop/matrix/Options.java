package dev.verbena.interop.matrix;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The words of the command line, each `NAME=VALUE`.
final class Options {
    private static final Set<String> NAMES =
            Set.of(
                    "oracle", "ipv4", "ipv6", "mtus", "gso", "cable", "out", "seed", "cells",
                    "peer", "extent");

    private final Map<String, String> values = new TreeMap<>();

    Options(String... words) {
        for (String word : words) {
            int at = word.indexOf('=');
            if (at < 0 || !NAMES.contains(word.substring(0, at))) {
                throw new IllegalArgumentException(
                        "'%s' is no option; these are, each as NAME=VALUE: %s"
                                .formatted(word, NAMES.stream().sorted().toList()));
            }
            values.put(word.substring(0, at), word.substring(at + 1));
        }
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    String text(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    String required(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + "=… is missing");
        }
        return value;
    }

    List<String> words(String name, String otherwise) {
        return List.of(text(name, otherwise).split(","));
    }

    Path path(String name) {
        return Path.of(required(name));
    }

    List<Integer> numbers(String name, String otherwise) {
        return words(name, otherwise).stream().map(Integer::valueOf).toList();
    }

    /// `HOST:PORT`, or a port of the loopback.
    InetSocketAddress address(String name) {
        String value = required(name);
        int at = value.lastIndexOf(':');
        String host = at < 0 ? "127.0.0.1" : value.substring(0, at);
        return new InetSocketAddress(host, Integer.parseInt(value.substring(at + 1)));
    }
}
