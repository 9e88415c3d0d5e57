package org.railyard.o2iblnd.tune;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.verbs.DeviceAttributes;
import org.railyard.verbs.DeviceAttributes.Ability;

/** How memory is made accessible for RDMA (spec 20 §11). */
public enum Registration {
    /** One region over all memory. */
    GLOBAL("global", 0),
    /** Zero-based regions that are mapped at once. */
    FMR("fmr", 0),
    /** Page-list regions that work requests register and invalidate. */
    FASTREG("fastreg", 2),
    /** The same, and pieces may begin and end inside pages. */
    FASTREG_GAPS("fastreg-gaps", 2),
    /** Everything lies in one region that is registered once. */
    ARENA("arena", 0);

    private final String text;
    private final int workRequests;

    Registration(String text, int workRequests) {
        this.text = text;
        this.workRequests = workRequests;
    }

    /**
     * Returns the mode with a name.
     *
     * @throws ErrnoException EINVAL if there is none
     */
    public static Registration named(String name) {
        return Arrays.stream(values())
                .filter(mode -> mode.text.equals(name))
                .findFirst()
                .orElseThrow(() -> new ErrnoException(
                        Errno.EINVAL,
                        "no registration mode '" + name + "', expected one of "
                                + Arrays.stream(values()).map(mode -> mode.text).collect(Collectors.joining(", "))));
    }

    /** Returns what a kernel node takes on a device: FMR if there is one, else FastReg; null if it can not start. */
    public static @Nullable Registration of(DeviceAttributes device, boolean gapsWanted) {
        if (device.has(Ability.FMR)) {
            return FMR;
        }
        if (!device.has(Ability.FAST_REG)) {
            return null;
        }
        return gapsWanted && device.has(Ability.SG_GAPS) ? FASTREG_GAPS : FASTREG;
    }

    /** Returns its name. */
    public String text() {
        return text;
    }

    /** Returns how many work requests it takes itself, for each transfer. */
    public int workRequests() {
        return workRequests;
    }

    /** Tells whether regions come from pools. */
    public boolean hasPools() {
        return this == FMR || this == FASTREG || this == FASTREG_GAPS;
    }
}
