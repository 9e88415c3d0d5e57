package org.railyard.ibverbs;

import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.ffi.VerbsLayout;
import org.railyard.ibverbs.ffi.VerbsMemory;
import org.railyard.ibverbs.ffi.VerbsNumbers;
import org.railyard.verbs.VerbsException;

/**
 * The devices as librdmacm has opened them, once for the whole process (spec 24 §4.1): its ends of connections take
 * nothing of a device that was opened otherwise. Thread-safe.
 */
final class NativeCards {
    /** Most devices of a machine. */
    static final int MAX_DEVICES = 64;

    private static final System.Logger LOG = System.getLogger(NativeCards.class.getName());
    private static final int MAX_PORTS = 16;
    /** Bytes of {@code verbs_context} before the context, at least. */
    static final int SMALLEST_EXTENSION = 320;

    private static final int LARGEST_CONTEXT = 64 * 1024;
    private static final List<Path> ACM_SOCKETS = List.of(Path.of("/run/ibacm-unix.sock"), Path.of("/run/ibacm.sock"));

    private static @Nullable NativeCards ofSystem;

    private final NativeVerbs verbs;
    private final AsyncReader async;
    private final List<NativeCard> cards;
    private final Set<NativeCard> gone = ConcurrentHashMap.newKeySet();

    /** Finds the devices; see {@link #system}. */
    NativeCards(NativeVerbs verbs) {
        this.verbs = verbs;
        requireKernel(verbs);
        this.cards = find(verbs);
        this.async = new AsyncReader(verbs, cards);
    }

    /**
     * Returns the devices of this machine, found when they are asked for the first time.
     *
     * @throws VerbsException what is missing, in one line, and what to do (spec 24 §9.1)
     */
    static synchronized NativeCards system() {
        NativeCards known = ofSystem;
        if (known == null) {
            known = new NativeCards(NativeVerbs.load());
            ofSystem = known;
        }
        return known;
    }

    NativeVerbs verbs() {
        return verbs;
    }

    AsyncReader async() {
        return async;
    }

    List<NativeCard> all() {
        return cards;
    }

    /** Notes that a device was taken away. It may still answer, as of before. */
    void lose(NativeCard card) {
        gone.add(card);
    }

    /** Tells whether a device was taken away since it was found. */
    boolean isGone(NativeCard card) {
        return gone.contains(card);
    }

    private static void requireKernel(NativeVerbs verbs) {
        long channel = verbs.createEventChannel();
        if (channel == 0) {
            int errno = NativeVerbs.errno();
            if (errno == VerbsNumbers.EACCES || errno == Errno.EPERM.number()) {
                throw new VerbsException(
                        VerbsException.Code.EACCES,
                        "/dev/infiniband/rdma_cm: permission denied; run as root, or let a rule of udev give it to this"
                                + " user");
            }
            throw new VerbsException(
                    VerbsException.Code.ENODEV,
                    "kernel without rdma_ucm (errno " + errno
                            + "): modprobe rdma_ucm; in a container pass /dev/infiniband");
        }
        verbs.destroyEventChannel(channel);
        if (!verbs.hasKernelSupport()) {
            throw new VerbsException(
                    VerbsException.Code.ENODEV,
                    "kernel without ib_uverbs (errno " + NativeVerbs.errno() + "): modprobe ib_uverbs");
        }
    }

    private static List<NativeCard> find(NativeVerbs verbs) {
        List<NativeCard> found = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            long count = arena.allocate(Long.BYTES, Long.BYTES).address();
            // Never given back: the devices stay open as long as the process.
            long list = verbs.getDevices(count);
            int devices = list == 0 ? 0 : Math.min(VerbsMemory.getInt(count), MAX_DEVICES);
            for (int i = 0; i < devices; i++) {
                long context = VerbsMemory.getLong(list + (long) i * Long.BYTES);
                String flaw = context == 0 ? "it has no context" : flaw(verbs, context);
                if (flaw.isEmpty()) {
                    found.add(card(context));
                } else {
                    LOG.log(
                            System.Logger.Level.WARNING,
                            "RDMA device {0} of {1} is left out: unknown libibverbs ABI: {2}",
                            i + 1,
                            devices,
                            flaw);
                }
            }
        }
        if (found.isEmpty()) {
            throw new VerbsException(
                    VerbsException.Code.ENODEV,
                    "no RDMA device; 'rdma link' shows what the kernel has; the libraries of drivers are in"
                            + " ibverbs-providers (RHEL: rdma-core)");
        }
        found.sort(Comparator.comparing(NativeCard::name));
        return List.copyOf(found);
    }

    private static NativeCard card(long context) {
        long device = VerbsMemory.getLong(context + VerbsLayout.CONTEXT_DEVICE);
        return new NativeCard(
                VerbsMemory.getText(device + VerbsLayout.DEVICE_NAME, VerbsLayout.DEVICE_NAME_BYTES),
                context,
                VerbsMemory.getInt(context + VerbsLayout.CONTEXT_ASYNC_FD));
    }

    /** Returns what is not as the layouts say; empty if all is well (spec 24 ibv-004). */
    static String flaw(NativeVerbs verbs, long context) {
        if (VerbsMemory.getLong(context + VerbsLayout.CONTEXT_ABI_COMPAT) != -1) {
            return "no extended context";
        }
        long size = VerbsMemory.getLong(context - VerbsLayout.CONTEXT_BACK_TO_SIZE);
        if (size < VerbsLayout.CONTEXT_ABI_COMPAT + Long.BYTES + SMALLEST_EXTENSION || size >= LARGEST_CONTEXT) {
            return "a context of " + size + " bytes";
        }
        for (int offset : new int[] {
            VerbsLayout.CONTEXT_POLL_CQ,
            VerbsLayout.CONTEXT_REQ_NOTIFY_CQ,
            VerbsLayout.CONTEXT_POST_SEND,
            VerbsLayout.CONTEXT_POST_RECV
        }) {
            if (VerbsMemory.getLong(context + offset) == 0) {
                return "no function at " + offset;
            }
        }
        try (Arena arena = Arena.ofConfined()) {
            long attributes =
                    VerbsMemory.structure(arena, VerbsLayout.DEVICE_ATTR).address();
            int errno = verbs.queryDevice(context, attributes);
            int ports = VerbsMemory.getByte(attributes + VerbsLayout.DEVICE_ATTR_PORTS);
            return errno == 0 && ports >= 1 && ports <= MAX_PORTS
                    ? ""
                    : "ibv_query_device says errno " + errno + ", " + ports + " ports";
        }
    }

    /** Tells whether a daemon answers for paths, without regard to types of service (spec 24 §6.1). */
    static boolean hasPathDaemon() {
        return ACM_SOCKETS.stream().anyMatch(Files::exists);
    }
}
