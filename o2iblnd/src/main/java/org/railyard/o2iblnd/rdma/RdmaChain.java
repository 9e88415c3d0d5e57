package org.railyard.o2iblnd.rdma;

import org.railyard.base.Errno;
import org.railyard.o2iblnd.wire.RdmaDescriptor;
import org.railyard.verbs.WorkChain;

/** Puts the RDMA writes of a transfer together (spec 20 §12). */
public final class RdmaChain {
    private RdmaChain() {}

    /**
     * Appends unsignalled writes that move bytes from the beginning of one descriptor to the beginning of another.
     *
     * @param source whose key is local
     * @param sink whose key is the peer's
     * @param bytes how many, from 1
     * @param gather most pieces of a write, from 1
     * @param maxRequests most writes: the fragments that were negotiated
     * @param id of all writes
     * @return how many writes, or a negative errno: EPROTO if a descriptor has less than that, EMSGSIZE if it takes
     *     more writes than allowed; then nothing was appended
     */
    public static int append(
            RdmaDescriptor source,
            RdmaDescriptor sink,
            long bytes,
            int gather,
            int maxRequests,
            long id,
            WorkChain into) {
        int before = into.size();
        int status = walk(source, sink, bytes, gather, maxRequests, id, into);
        if (status < 0) {
            into.truncate(before);
        }
        return status;
    }

    /**
     * Tells how far a transfer gets that {@link #append} refused with EMSGSIZE (spec 22 mod-017), for people.
     *
     * @param maxRequests the limit, from 1
     */
    public static String excess(RdmaDescriptor source, RdmaDescriptor sink, long bytes, int gather, int maxRequests) {
        WorkChain allowed = new WorkChain();
        walk(source, sink, bytes, gather, maxRequests, 0, allowed);
        long moved = 0;
        for (int i = 0; i < allowed.gatherEnd(allowed.size() - 1); i++) {
            moved += allowed.gatherLength(i);
        }
        return "a transfer of " + bytes + " bytes takes more RDMA writes than the " + maxRequests
                + " fragments that were agreed on: they end before fragment " + number(source, moved) + " of "
                + source.count() + " of the source and fragment " + number(sink, moved) + " of " + sink.count()
                + " of the sink";
    }

    /** Returns the number, from 1, of the fragment that has the byte at a position. */
    private static int number(RdmaDescriptor descriptor, long position) {
        int fragment = 0;
        for (long left = position; left >= length(descriptor, fragment); fragment++) {
            left -= length(descriptor, fragment);
        }
        return fragment + 1;
    }

    private static int walk(
            RdmaDescriptor source,
            RdmaDescriptor sink,
            long bytes,
            int gather,
            int maxRequests,
            long id,
            WorkChain into) {
        int requests = 0;
        int sourceAt = 0;
        int sinkAt = 0;
        long sourceDone = 0;
        long sinkDone = 0;
        int pieces = gather;
        long left = bytes;
        while (left > 0) {
            if (sourceAt == source.count() || sinkAt == sink.count()) {
                return Errno.EPROTO.status();
            }
            long sourceRest = length(source, sourceAt) - sourceDone;
            long sinkRest = length(sink, sinkAt) - sinkDone;
            long step = Math.min(Integer.MAX_VALUE, Math.min(left, Math.min(sourceRest, sinkRest)));
            if (step > 0) {
                if (pieces == gather || sinkDone == 0) {
                    if (requests == maxRequests) {
                        return Errno.EMSGSIZE.status();
                    }
                    into.write(id, false, sink.address(sinkAt) + sinkDone, sink.key());
                    requests++;
                    pieces = 0;
                }
                into.gather(source.address(sourceAt) + sourceDone, (int) step, source.key());
                pieces++;
            }
            left -= step;
            sourceDone += step;
            sinkDone += step;
            if (sourceDone == length(source, sourceAt)) {
                sourceAt++;
                sourceDone = 0;
            }
            if (sinkDone == length(sink, sinkAt)) {
                sinkAt++;
                sinkDone = 0;
            }
        }
        return requests;
    }

    private static long length(RdmaDescriptor descriptor, int fragment) {
        return descriptor.length(fragment) & 0xFFFF_FFFFL;
    }
}
