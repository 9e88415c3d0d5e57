package org.railyard.ibverbs;

import java.lang.foreign.Arena;
import java.util.Locale;
import org.railyard.ibverbs.ffi.Layout;
import org.railyard.ibverbs.ffi.Memory;
import org.railyard.ibverbs.ffi.NativeVerbs;

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
        int maxMr) {
    /** Pages of a region: nothing limits them for programs, so it is what LNet asks for at most, and more. */
    static final int MAX_PAGE_LIST = 512;

    private static final int FIRMWARE_BYTES = 64;

    static DeviceFacts read(NativeVerbs verbs, NativeCard card) {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocate(Layout.DEVICE_ATTR + Layout.SPARE, Long.BYTES)
                    .address();
            int errno = verbs.queryDevice(card.context(), at);
            if (errno != 0) {
                throw NativeVerbs.failed(card.name() + " does not tell its limits", errno);
            }
            return new DeviceFacts(
                    driver(card.name()),
                    Memory.getText(at + Layout.DEVICE_ATTR_FW_VER, FIRMWARE_BYTES),
                    String.format(
                            Locale.ROOT,
                            "%08x%08x",
                            Memory.getNetInt(at + Layout.DEVICE_ATTR_NODE_GUID),
                            Memory.getNetInt(at + Layout.DEVICE_ATTR_NODE_GUID + Integer.BYTES)),
                    Memory.getByte(at + Layout.DEVICE_ATTR_PORTS),
                    limit(at + Layout.DEVICE_ATTR_MAX_QP),
                    limit(at + Layout.DEVICE_ATTR_MAX_QP_WR),
                    limit(at + Layout.DEVICE_ATTR_MAX_CQ),
                    limit(at + Layout.DEVICE_ATTR_MAX_CQE),
                    limit(at + Layout.DEVICE_ATTR_MAX_SGE),
                    limit(at + Layout.DEVICE_ATTR_MAX_MR));
        }
    }

    private static int limit(long address) {
        return Math.max(1, Memory.getInt(address));
    }

    /** Returns what kind of device has a name: {@code mlx5} for {@code mlx5_0}. */
    static String driver(String name) {
        String kind = name.replaceAll("_?\\d+$", "");
        return kind.isEmpty() ? name : kind;
    }
}
