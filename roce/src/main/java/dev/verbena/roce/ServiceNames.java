package dev.verbena.roce;

import dev.verbena.verbs.LimitExceededException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// The services that each of the devices at one address serves.
///
/// A request names a service, and any of the devices may read it. So a device that listens holds
/// two socket names that are not files: one is unique for the service, and one also contains the
/// number of the device, so that others can find it. The kernel releases both when the process ends
/// in any way, and there is no table that could be wrong. The names carry no data.
///
/// Names are visible to every user of the machine, and any program may take a free one. So they are
/// derived from the secret of the devices at the address: no other program can take one in advance.
final class ServiceNames {
    static final int NOBODY = -1;

    /// Services of one device; each costs two files.
    static final int CLAIMS_MAX = 512;

    /// A request may come again after its listener has closed, for as long as the peer has not seen
    /// the answer; only this device knows the answer. Linux asks again every 4 seconds.
    static final long LINGER_NS = TimeUnit.SECONDS.toNanos(10);

    private static final int ONCE = HandOver.DEVICES;
    private static final int NAME_BYTES = 12;

    private final String device;
    private final String place;
    private final long secret;
    private final int slot;
    private final MemorySegment state = Libc.state(Arena.ofAuto());
    private final LocalSocket local = new LocalSocket(state);
    private final Map<Long, Claim> claims = new HashMap<>();
    private final ByteBuffer text = ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES);
    private final MessageDigest digest;
    private final int probe;
    private int lingering;
    private boolean isClosed;

    ServiceNames(String device, String place, long secret, int slot) {
        this.device = device;
        this.place = place;
        this.secret = secret;
        this.slot = slot;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new AssertionError("every JDK has SHA-256", missing);
        }
        probe = name();
    }

    /// A service that this device serves, or served a moment ago.
    private static final class Claim {
        private final int once;
        private final int here;
        private boolean isOver;
        private boolean wasAsked;
        private long askedNs;

        Claim(int once, int here) {
            this.once = once;
            this.here = here;
        }
    }

    /// Makes a service this device's; false when it is another's.
    boolean claim(long service) {
        Claim known = claims.get(service);
        if (known != null) {
            // Closed a moment ago, and opened again.
            lingering -= known.isOver ? 1 : 0;
            known.isOver = false;
            return true;
        }
        if (claims.size() >= CLAIMS_MAX) {
            throw new LimitExceededException(
                    device,
                    "it listens at " + CLAIMS_MAX + " ports, or did a moment ago",
                    "close some, or wait ten seconds");
        }
        int here = name();
        int once = tryName(here);
        Claim claim = new Claim(once, here);
        boolean isOurs =
                local.bind(once, of(service, ONCE)) == 0
                        && local.bind(here, of(service, slot)) == 0;
        if (isOurs) {
            claims.put(service, claim);
        } else {
            close(claim);
        }
        return isOurs;
    }

    /// Releases a service: at once when there was no recent request for it.
    void release(long service, long nowNs) {
        Claim claim = claims.get(service);
        if (claim == null || claim.isOver) {
            return;
        }
        claim.isOver = true;
        lingering++;
        sweep(nowNs);
    }

    /// Releases the services that have lingered long enough.
    void sweep(long nowNs) {
        if (lingering == 0) {
            return;
        }
        Iterator<Claim> each = claims.values().iterator();
        while (each.hasNext()) {
            Claim claim = each.next();
            if (claim.isOver && (!claim.wasAsked || nowNs - claim.askedNs >= LINGER_NS)) {
                lingering--;
                each.remove();
                close(claim);
            }
        }
    }

    /// The number of the device that answers requests for a service, or [#NOBODY] for none.
    int holder(long service, long nowNs) {
        Claim own = claims.get(service);
        if (own != null) {
            own.wasAsked = true;
            own.askedNs = nowNs;
            return slot;
        }
        if (local.connect(probe, of(service, ONCE)) != 0) {
            return NOBODY;
        }
        for (int i = 0; i < HandOver.DEVICES; i++) {
            if (i != slot && local.connect(probe, of(service, i)) == 0) {
                return i;
            }
        }
        return NOBODY;
    }

    private String of(long service, int number) {
        text.clear().putLong(secret).putLong(service).putInt(number).flip();
        digest.update(text);
        return place + HexFormat.of().formatHex(digest.digest(), 0, NAME_BYTES);
    }

    private int name() {
        int socket = local.openName();
        if (socket < 0) {
            throw new LimitExceededException(
                    device,
                    "the system gives it no socket: " + Errno.text(Libc.errno(state)),
                    "look at the limit of open files");
        }
        Libc.shutdown(state, socket, SocketOption.SHUT_READ);
        return socket;
    }

    /// A second one, without which the first is of no use.
    private int tryName(int first) {
        try {
            return name();
        } catch (LimitExceededException refused) {
            Libc.close(state, first);
            throw refused;
        }
    }

    private void close(Claim claim) {
        // In this order: a device that finds the first name free may take both.
        Libc.close(state, claim.here);
        Libc.close(state, claim.once);
    }

    void close() {
        if (!isClosed) {
            isClosed = true;
            claims.values().forEach(this::close);
            claims.clear();
            Libc.close(state, probe);
        }
    }
}
