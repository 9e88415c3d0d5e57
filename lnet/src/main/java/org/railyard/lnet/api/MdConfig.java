package org.railyard.lnet.api;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a memory descriptor is to be. Immutable; the {@code with…} methods return changed copies.
 *
 * @param memory the memory, in order; off-heap segments are sent and filled without a copy. Transports use it on their
 *     own threads: it has to be of a shared or automatic arena, and alive until the MD is unlinked; what is sent from
 *     other memory fails with EFAULT
 * @param threshold number of operations, {@link #UNLIMITED} for any number; PUT with ACK and GET take two each
 * @param maxSize with {@link MdOption#MAX_SIZE}: most bytes of one operation
 * @param options the options
 * @param autoUnlink whether the MD goes when it is exhausted
 * @param handler receives the events, null for none
 * @param userPtr whatever the owner wants to find again
 * @param timeoutNanos limit for a response, ns; 0 for the node's transaction timeout
 * @param cpt the CPU partition that the memory is near to, −1 if unknown: then the one of the thread that sends counts
 */
public record MdConfig(
        List<MemorySegment> memory,
        int threshold,
        int maxSize,
        Set<MdOption> options,
        boolean autoUnlink,
        @Nullable EventHandler handler,
        @Nullable Object userPtr,
        long timeoutNanos,
        int cpt) {
    /** Any number of operations. */
    public static final int UNLIMITED = -1;

    /** Copies the collections. */
    public MdConfig {
        memory = List.copyOf(memory);
        options = OptionSets.of(options);
    }

    /** An MD whose memory is near to no CPU partition in particular. */
    public MdConfig(
            List<MemorySegment> memory,
            int threshold,
            int maxSize,
            Set<MdOption> options,
            boolean autoUnlink,
            @Nullable EventHandler handler,
            @Nullable Object userPtr,
            long timeoutNanos) {
        this(memory, threshold, maxSize, options, autoUnlink, handler, userPtr, timeoutNanos, -1);
    }

    /** Returns an MD over the given memory, in order: unlimited, kept until unlinked, no options, no handler. */
    public static MdConfig of(MemorySegment... memory) {
        return new MdConfig(List.of(memory), UNLIMITED, 0, Set.of(), false, null, null, 0);
    }

    /** Returns how many bytes all its memory has. */
    public long bytes() {
        long bytes = 0;
        for (int i = 0; i < memory.size(); i++) {
            bytes += memory.get(i).byteSize();
        }
        return bytes;
    }

    /** Tells whether some of its memory can not be written to. */
    public boolean isReadOnly() {
        for (int i = 0; i < memory.size(); i++) {
            if (memory.get(i).isReadOnly()) {
                return true;
            }
        }
        return false;
    }

    /** Returns a copy with another threshold. */
    public MdConfig withThreshold(int operations) {
        return new MdConfig(memory, operations, maxSize, options, autoUnlink, handler, userPtr, timeoutNanos, cpt);
    }

    /** Returns a copy with {@link MdOption#MAX_SIZE} and the given limit, bytes. */
    public MdConfig withMaxSize(int bytes) {
        EnumSet<MdOption> more = EnumSet.of(MdOption.MAX_SIZE);
        more.addAll(options);
        return new MdConfig(memory, threshold, bytes, more, autoUnlink, handler, userPtr, timeoutNanos, cpt);
    }

    /** Returns a copy with exactly the given options. */
    public MdConfig withOptions(MdOption... exactly) {
        return new MdConfig(
                memory, threshold, maxSize, Set.of(exactly), autoUnlink, handler, userPtr, timeoutNanos, cpt);
    }

    /** Returns a copy that goes when exhausted. */
    public MdConfig withAutoUnlink() {
        return new MdConfig(memory, threshold, maxSize, options, true, handler, userPtr, timeoutNanos, cpt);
    }

    /** Returns a copy with a handler. */
    public MdConfig withHandler(EventHandler other) {
        return new MdConfig(memory, threshold, maxSize, options, autoUnlink, other, userPtr, timeoutNanos, cpt);
    }

    /** Returns a copy with a user pointer. */
    public MdConfig withUserPtr(Object other) {
        return new MdConfig(memory, threshold, maxSize, options, autoUnlink, handler, other, timeoutNanos, cpt);
    }

    /** Returns a copy with its own limit for a response, ns. */
    public MdConfig withTimeoutNanos(long nanos) {
        return new MdConfig(memory, threshold, maxSize, options, autoUnlink, handler, userPtr, nanos, cpt);
    }

    /** Returns a copy whose memory is near to a CPU partition, which makes near NIs preferred (spec 10 §8.5). */
    public MdConfig withCpt(int partition) {
        return new MdConfig(memory, threshold, maxSize, options, autoUnlink, handler, userPtr, timeoutNanos, partition);
    }
}
