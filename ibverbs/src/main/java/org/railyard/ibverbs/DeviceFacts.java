package org.railyard.ibverbs;

import java.lang.foreign.Arena;
import java.util.Locale;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.ibverbs.ffi.VerbsNumbers;

/**
 * What a device says about itself.
 *
 * @param driver the kind of device, as its name begins: {@code mlx5}
 * @param firmware version of its firmware, empty if it has none
 * @param nodeGuid sixteen hexadecimal digits
 * @param ports how many ports
 * @param maxQp most queue pairs
 * @param maxQpWr most requests of a queue
 * @param maxCq most completion queues
 * @param maxCqe most entries of one
 * @param maxSge most gather entries of a request
 * @param maxMr most memory regions
 * @param windowType {@code 2A} or {@code 2B}, empty if there are no memory windows of type 2
 * @param maxMw most memory windows
 */
record DeviceFacts(
        String driver,
        String firmware,
        String nodeGuid,
        int ports,
        int maxQp,
        int maxQpWr,
        int maxCq,
        int maxCqe,
        int maxSge,
        int maxMr,
        String windowType,
        int maxMw) {
    /** Pages of a region: nothing limits them for programs, so it is what LNet asks for at most, and more. */
    static final int MAX_PAGE_LIST = 512;

    private static final int FIRMWARE_BYTES = 64;

    static DeviceFacts read(NativeVerbs verbs, NativeCard card) {
        try (Arena arena = Arena.ofConfined()) {
            long at = VerbsMemory.structure(arena, VerbsLayout.DEVICE_ATTR).address();
            int errno = verbs.queryDevice(card.context(), at);
            if (errno != 0) {
                throw NativeVerbs.failed(card.name() + " does not tell its limits", errno);
            }
            return new DeviceFacts(
                    driver(card.name()),
                    VerbsMemory.getText(at + VerbsLayout.DEVICE_ATTR_FW_VER, FIRMWARE_BYTES),
                    String.format(
                            Locale.ROOT,
                            "%08x%08x",
                            VerbsMemory.getNetInt(at + VerbsLayout.DEVICE_ATTR_NODE_GUID),
                            VerbsMemory.getNetInt(at + VerbsLayout.DEVICE_ATTR_NODE_GUID + Integer.BYTES)),
                    VerbsMemory.getByte(at + VerbsLayout.DEVICE_ATTR_PORTS),
                    limit(at + VerbsLayout.DEVICE_ATTR_MAX_QP),
                    limit(at + VerbsLayout.DEVICE_ATTR_MAX_QP_WR),
                    limit(at + VerbsLayout.DEVICE_ATTR_MAX_CQ),
                    limit(at + VerbsLayout.DEVICE_ATTR_MAX_CQE),
                    limit(at + VerbsLayout.DEVICE_ATTR_MAX_SGE),
                    limit(at + VerbsLayout.DEVICE_ATTR_MAX_MR),
                    windowType(card, VerbsMemory.getInt(at + VerbsLayout.DEVICE_ATTR_FLAGS)),
                    VerbsMemory.getInt(at + VerbsLayout.DEVICE_ATTR_MAX_MW));
        }
    }

    /** A driver's library may lack what the kernel's driver has. */
    private static String windowType(NativeCard card, int flags) {
        if (!NativeVerbs.hasWindows(card.context())) {
            return "";
        }
        boolean isB = (flags & VerbsNumbers.DEVICE_MW_2B) != 0;
        return isB ? "2B" : (flags & VerbsNumbers.DEVICE_MW_2A) != 0 ? "2A" : "";
    }

    /** Tells whether it has memory windows of type 2. */
    boolean hasWindows() {
        return !windowType.isEmpty() && maxMw > 0;
    }

    private static int limit(long address) {
        return Math.max(1, VerbsMemory.getInt(address));
    }

    /** Returns what kind of device has a name: {@code mlx5} for {@code mlx5_0}. */
    static String driver(String name) {
        String kind = name.replaceAll("_?\\d+$", "");
        return kind.isEmpty() ? name : kind;
    }
}
