package dev.verbena.collectives.link;

import org.jspecify.annotations.Nullable;

/// Links by a number, without an object for each look-up.
final class LinkTable {
    private static final int MIX = 0x9E37_79B9;

    private int[] keys = new int[16];
    private @Nullable Link[] links = new @Nullable Link[16];
    private int size;

    @Nullable Link get(int key) {
        int mask = keys.length - 1;
        for (int at = first(key, mask); ; at = (at + 1) & mask) {
            Link link = links[at];
            if (link == null || keys[at] == key) {
                return link;
            }
        }
    }

    private static int first(int key, int mask) {
        return ((key * MIX) >>> 8) & mask;
    }

    /// Adds a link under a number; one that had it before is forgotten.
    void put(int key, Link link) {
        if (2 * size >= keys.length) {
            grow();
        }
        insert(key, link);
        size++;
    }

    private void insert(int key, Link link) {
        int mask = keys.length - 1;
        int at = first(key, mask);
        while (links[at] != null && keys[at] != key) {
            at = (at + 1) & mask;
        }
        keys[at] = key;
        links[at] = link;
    }

    private void grow() {
        int[] oldKeys = keys;
        @Nullable Link[] oldLinks = links;
        keys = new int[2 * oldKeys.length];
        links = new @Nullable Link[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            Link link = oldLinks[i];
            if (link != null) {
                insert(oldKeys[i], link);
            }
        }
    }
}
