package dev.verbena.ibverbs.driver;

import dev.verbena.verbs.Access;
import dev.verbena.verbs.MemoryRegion;
import java.util.EnumSet;
import java.util.Set;

/// Registered memory.
final class DriverRegion extends DriverObject {
    private static final int REMOTE = 2 | 4 | 8;
    private static final int KNOWN = 0x1F;

    final DriverDomain domain;
    final MemoryRegion region;
    final long base;
    final int key;

    /// Requests that name it and whose completion was not fetched.
    int inFlight;

    /// Windows that are bound to it.
    int windows;

    private DriverRegion(DriverDomain domain, MemoryRegion region, long base, int access) {
        super(domain.driver, Layouts.MR);
        this.domain = domain;
        this.region = region;
        this.base = base;
        this.key = region.remoteKey();
        domain.regions.put(key, this);
        domain.users++;
        put("context", domain.context.address);
        put("pd", domain.address);
        put("addr", base);
        put("length", region.length());
        put("lkey", key);
        put("rkey", (access & REMOTE) == 0 ? 0 : key);
    }

    static DriverRegion register(DriverDomain domain, long base, long length, int access) {
        Refusal.unless(length > 0 && base + length > 0, Refusal.EINVAL);
        Refusal.unless((access & ~KNOWN) == 0, Refusal.EOPNOTSUPP);
        // IBA 10.6.3.1, as ib_check_mr_access has it.
        boolean isWritable = (access & Access.LOCAL_WRITE.bit()) != 0;
        Refusal.unless(isWritable || (access & (2 | 8)) == 0, Refusal.EINVAL);
        Refusal.unless(LibC.isMemory(base, length), Refusal.EFAULT);
        MemoryRegion made =
                domain.domain.register(
                        CStruct.memory(base, length), rights(access).toArray(new Access[0]));
        return new DriverRegion(domain, made, base, access);
    }

    static Set<Access> rights(int bits) {
        Set<Access> rights = EnumSet.noneOf(Access.class);
        for (Access right : Access.values()) {
            if ((bits & right.bit()) != 0) {
                rights.add(right);
            }
        }
        return rights;
    }

    void close() {
        Refusal.unless(windows == 0, Refusal.EINVAL);
        if (inFlight > 0) {
            driver.misuse.add(this + " was deregistered with " + inFlight + " requests on it");
        }
        region.close();
        domain.regions.remove(key);
        domain.users--;
        free();
    }

    private void put(String field, long value) {
        Layouts.MR.put(address, field, value);
    }
}
