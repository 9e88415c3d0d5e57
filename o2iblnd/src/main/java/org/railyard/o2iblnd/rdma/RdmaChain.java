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
