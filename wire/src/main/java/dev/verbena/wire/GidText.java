package dev.verbena.wire;

/// The text form of a [Gid], both ways.
final class GidText {
    private static final int GROUPS = 8;

    private GidText() {}

    static String format(Gid gid) {
        if (gid.isIpv4Mapped()) {
            int address = gid.ipv4();
            return "::ffff:%d.%d.%d.%d"
                    .formatted(
                            address >>> 24,
                            (address >>> 16) & 0xFF,
                            (address >>> 8) & 0xFF,
                            address & 0xFF);
        }
        int gap = gapStart(gid);
        int gapEnd = gap + zerosFrom(gid, gap);
        // RFC 5952 4.2.2: a single zero group is written out.
        boolean compress = gapEnd - gap >= 2;
        StringBuilder text = new StringBuilder(39);
        for (int index = 0; index < GROUPS; index++) {
            if (compress && index == gap) {
                text.append("::");
                index = gapEnd - 1;
                continue;
            }
            if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(group(gid, index)));
        }
        return text.toString();
    }

    /// Where the longest run of zero groups starts; the first of several (RFC 5952 4.2.3).
    private static int gapStart(Gid gid) {
        int best = 0;
        for (int index = 1; index < GROUPS; index++) {
            if (zerosFrom(gid, index) > zerosFrom(gid, best)) {
                best = index;
            }
        }
        return best;
    }

    private static int zerosFrom(Gid gid, int start) {
        int end = start;
        while (end < GROUPS && group(gid, end) == 0) {
            end++;
        }
        return end - start;
    }

    private static int group(Gid gid, int index) {
        long half = index < GROUPS / 2 ? gid.high() : gid.low();
        return (int) (half >>> (48 - 16 * (index % (GROUPS / 2)))) & 0xFFFF;
    }

    static Gid parse(String text) {
        int gap = text.indexOf("::");
        if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
            throw malformed(text, "more than one ::");
        }
        int[] groups = new int[GROUPS];
        if (gap < 0) {
            if (groups(text, text, groups) != GROUPS) {
                throw malformed(text, "not eight groups");
            }
        } else {
            String head = text.substring(0, gap);
            if (head.indexOf('.') >= 0) {
                throw malformed(text, "a dotted quad before the end");
            }
            int[] tail = new int[GROUPS];
            int before = groups(text, head, groups);
            int after = groups(text, text.substring(gap + 2), tail);
            if (before + after >= GROUPS) {
                throw malformed(text, ":: leaves no group out");
            }
            System.arraycopy(tail, 0, groups, GROUPS - after, after);
        }
        return new Gid(half(groups, 0), half(groups, GROUPS / 2));
    }

    /// Reads groups between single colons and says how many there were.
    private static int groups(String whole, String part, int[] groups) {
        if (part.isEmpty()) {
            return 0;
        }
        String[] words = part.split(":", -1);
        int count = 0;
        for (int index = 0; index < words.length; index++) {
            boolean quad = words[index].indexOf('.') >= 0;
            if (quad && index != words.length - 1) {
                throw malformed(whole, "a dotted quad before the end");
            }
            if (count + (quad ? 2 : 1) > GROUPS) {
                throw malformed(whole, "more than eight groups");
            }
            if (quad) {
                int address = quad(whole, words[index]);
                groups[count++] = address >>> 16;
                groups[count++] = address & 0xFFFF;
            } else {
                groups[count++] = digits(whole, words[index], 4, 16);
            }
        }
        return count;
    }

    private static int quad(String whole, String word) {
        String[] parts = word.split("\\.", -1);
        if (parts.length != 4) {
            throw malformed(whole, "a dotted quad needs four numbers");
        }
        int address = 0;
        for (String part : parts) {
            int number = digits(whole, part, 3, 10);
            // RFC 6943 3.1.1: a leading zero means octal to some readers, so it means nothing here.
            if (number > 255 || (part.length() > 1 && part.charAt(0) == '0')) {
                throw malformed(whole, "'" + part + "' is not a number from 0 to 255");
            }
            address = (address << 8) | number;
        }
        return address;
    }

    private static int digits(String whole, String word, int most, int radix) {
        boolean fits = !word.isEmpty() && word.length() <= most;
        int value = 0;
        for (int index = 0; fits && index < word.length(); index++) {
            char letter = word.charAt(index);
            // Character.digit also knows the digits of other scripts, which no GID is written in.
            int digit = letter < 128 ? Character.digit(letter, radix) : -1;
            fits = digit >= 0;
            value = value * radix + digit;
        }
        if (!fits) {
            throw malformed(
                    whole, "'" + word + "' is not 1 to " + most + " digits of base " + radix);
        }
        return value;
    }

    private static long half(int[] groups, int from) {
        long half = 0;
        for (int index = from; index < from + GROUPS / 2; index++) {
            half = (half << 16) | groups[index];
        }
        return half;
    }

    private static WireException malformed(String text, String reason) {
        return new WireException("gid '" + text + "' cannot be read: " + reason);
    }
}
