package org.railyard.lab.check;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.railyard.base.Errno;
import org.railyard.base.wire.Wire;
import org.railyard.lab.engine.EventQueue;
import org.railyard.lab.observe.NodeRun;
import org.railyard.lab.observe.Outcome;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.RpcWatch;
import org.railyard.selftest.wire.BrwRequest;
import org.railyard.selftest.wire.Pattern;
import org.railyard.selftest.wire.PingRequest;
import org.railyard.selftest.wire.PingTestReply;
import org.railyard.selftest.wire.Reply;
import org.railyard.selftest.wire.Request;
import org.railyard.selftest.wire.Service;
import org.railyard.selftest.wire.StatReply;

/**
 * Selftest (spec 03): every call ends once and in time, is served at most once and only if it was made, bulk data is
 * what the protocol says, and what a node says that it counted is what happened. Keeps its own books; the pattern of
 * bulk data is looked at here once more.
 */
public final class SelftestRules extends Checker {
    /** Calls end when the node looks, once a second, and when the stack has given their descriptors back. */
    private static final long GRANULARITY_NANOS = 3_000_000_000L;

    private static final int PAGE = 4096;
    private static final long WORD = 0xeeb0eeb1eeb2eeb3L;
    private static final byte SPOILT = 0x5a;

    private final EventQueue queue;

    /** Books by life. Only looked up, never gone through in their own order. */
    private final IdentityHashMap<NodeRun, Book> books = new IdentityHashMap<>();

    /** Who lives, or has lived last, at a NID. Only looked up. */
    private final Map<Nid, Book> places = new HashMap<>();

    private final long[] outcomes = new long[Outcome.values().length];
    private long readBytes;
    private long writtenBytes;
    private long servedReadBytes;
    private long servedWrittenBytes;
    private int open;

    /** Makes the checker. */
    public SelftestRules(Violations findings, EventQueue queue) {
        super("selftest", findings);
        this.queue = queue;
    }

    /** Returns what watches a node for one life; told of nothing more when the node was killed. */
    public RpcWatch watch(NodeRun life) {
        Book book = new Book(life);
        books.put(life, book);
        life.nids().forEach(nid -> places.put(nid, book));
        return book;
    }

    /** Returns how many calls have not ended. */
    public int open() {
        return open;
    }

    /** Returns how many calls of tests had an outcome. */
    public long count(Outcome outcome) {
        return outcomes[outcome.ordinal()];
    }

    private record Made(
            Service service, Request request, @Nullable MemorySegment bulk, long start, long limit) {}

    /** What happened at one node. */
    private final class Book implements RpcWatch {
        final NodeRun life;

        /** Calls that have not ended. Only looked up. */
        final Map<Long, Made> made = new HashMap<>();

        /** Calls of this node that others serve or have served. Only looked up. */
        final Set<Long> served = new HashSet<>();

        long newest = Long.MIN_VALUE;
        int called;
        int asked;
        int expired;
        int failed;
        int brwFailed;
        int pingFailed;
        long put;
        long got;

        Book(NodeRun life) {
            this.life = life;
        }

        private boolean isDead() {
            return life.end() == NodeRun.End.KILLED;
        }

        @Override
        public void called(
                ProcessId target, Service service, Request request, @Nullable MemorySegment bulk, long limitNanos) {
            if (isDead()) {
                return;
            }
            long id = request.replyId();
            called++;
            open++;
            if (id <= newest) {
                report(life + " calls with number " + id + " after number " + newest);
            }
            newest = Math.max(newest, bulk == null ? id : Math.max(id, request.bulkId()));
            made.put(id, new Made(service, request, bulk, queue.now(), limitNanos));
        }

        @Override
        public void ended(long replyId, int status, @Nullable Reply reply) {
            if (isDead()) {
                return;
            }
            Made call = made.remove(replyId);
            if (call == null) {
                report(life + ": call " + replyId + " ends, and did so before");
                return;
            }
            open--;
            if (status == 0 != (reply != null) || status > 0) {
                report(of(call) + " ends with " + status + " and " + reply);
            }
            long late = queue.now() - call.start() - call.limit();
            if (late > GRANULARITY_NANOS) {
                report(of(call) + " ends " + late / 1_000_000 + " ms after its time");
            }
            if (status == Errno.ETIMEDOUT.status()) {
                expired++;
            } else if (status < 0) {
                failed++;
            }
            if (call.service().isTest()) {
                Outcome outcome = status == Errno.ETIMEDOUT.status() ? Outcome.TIMED_OUT : Outcome.FAILED;
                outcomes[(reply != null && reply.status() == 0 ? Outcome.OK : outcome).ordinal()]++;
                test(call, reply);
            }
        }

        private String of(Made call) {
            return life + ": " + call.service() + " " + call.request().replyId();
        }

        private void test(Made call, @Nullable Reply reply) {
            if (reply == null || reply.status() != 0) {
                if (call.service() == Service.BRW) {
                    brwFailed++;
                } else {
                    pingFailed++;
                }
                if (reply != null) {
                    report(of(call) + " is answered with " + reply.status() + ", though nothing was wrong with it");
                }
                return;
            }
            if (call.request() instanceof PingRequest ping
                    && reply instanceof PingTestReply pong
                    && pong.sequence() != ping.sequence()) {
                report(of(call) + " has number " + ping.sequence() + ", the answer " + pong.sequence());
            }
            if (call.request() instanceof BrwRequest brw && call.bulk() != null) {
                if (brw.operation() == BrwRequest.READ) {
                    readBytes += brw.length();
                    long wrong = firstWrong(call.bulk(), brw.check());
                    if (wrong >= 0) {
                        report(of(call) + " has read " + at(wrong, call.bulk()));
                    }
                } else {
                    writtenBytes += brw.length();
                }
            }
        }

        @Override
        public void asked(ProcessId from, Service service, Request request) {
            if (isDead()) {
                return;
            }
            asked++;
            Book caller = places.get(from.nid());
            if (caller == null) {
                report(life + " is asked by " + from + ", whom nobody knows");
            } else if (request.replyId() <= caller.newest && !caller.served.add(request.replyId())) {
                report(life + " is asked " + service + " " + request.replyId() + " by " + from + " a second time");
            }
        }

        @Override
        public void answered(ProcessId to, Request request, Reply reply) {
            if (!isDead() && reply instanceof StatReply stat && stat.status() == 0) {
                compare(stat);
            }
        }

        private void compare(StatReply stat) {
            StatReply.Rpc rpc = stat.rpc();
            same("sent", called, rpc.sent());
            same("received", asked, rpc.received());
            same("expired", expired, rpc.expired());
            same("dropped", 0, rpc.dropped());
            same("bytes of bulk_put", put, rpc.bulkPut());
            same("bytes of bulk_get", got, rpc.bulkGet());
            if (rpc.errors() < failed) {
                report(life + " counts " + rpc.errors() + " errors, and " + failed + " calls failed");
            }
            // What fails while a test is being stopped does not count.
            if (stat.framework().brwErrors() > brwFailed || stat.framework().pingErrors() > pingFailed) {
                report(life + " counts " + stat.framework().brwErrors() + " and "
                        + stat.framework().pingErrors() + " errors of tests; " + brwFailed + " and " + pingFailed
                        + " calls failed");
            }
        }

        private void same(String what, long happened, long counted) {
            if (happened != counted) {
                report(life + " counts " + counted + " " + what + ", and there were " + happened);
            }
        }

        @Override
        public void fetching(ProcessId from, Request request, MemorySegment memory) {
            // What another call has left there could pass for what this one should bring.
            memory.fill(SPOILT);
        }

        @Override
        public void moved(ProcessId peer, Request request, boolean fetched, MemorySegment memory, int status) {
            if (isDead() || status != 0) {
                return;
            }
            if (fetched) {
                got += memory.byteSize();
            } else {
                put += memory.byteSize();
            }
            if (request instanceof BrwRequest brw) {
                servedReadBytes += fetched ? 0 : memory.byteSize();
                servedWrittenBytes += fetched ? memory.byteSize() : 0;
                if (memory.byteSize() != brw.length() || fetched != (brw.operation() == BrwRequest.WRITE)) {
                    report(life + " moves " + memory.byteSize() + " bytes for " + brw);
                }
                long wrong = firstWrong(memory, brw.check());
                if (wrong >= 0) {
                    report(life + ": " + brw.replyId() + " of " + peer + " has brought " + at(wrong, memory));
                }
            }
        }

        private String at(long wrong, MemorySegment memory) {
            return "0x" + Long.toHexString(memory.get(Wire.LE64, wrong)) + " at byte " + wrong + " of "
                    + memory.byteSize();
        }
    }

    /** Returns where the first word that is wrong begins, bytes; -1 if there is none. */
    static long firstWrong(MemorySegment memory, int pattern) {
        long size = memory.byteSize();
        if (pattern == Pattern.FULL.number() && size > 0) {
            if (memory.get(Wire.LE64, 0) != WORD) {
                return 0;
            }
            // Each word with the one before it, many at once.
            long other = MemorySegment.mismatch(memory, 0, size - Long.BYTES, memory, Long.BYTES, size);
            return other < 0 ? -1 : (other / Long.BYTES + 1) * Long.BYTES;
        }
        if (pattern == Pattern.SIMPLE.number()) {
            for (long page = 0; page < size; page += PAGE) {
                long last = Math.min(page + PAGE, size) - Long.BYTES;
                if (memory.get(Wire.LE64, page) != WORD) {
                    return page;
                }
                if (memory.get(Wire.LE64, last) != WORD) {
                    return last;
                }
            }
        }
        return -1;
    }

    @Override
    public void killed(NodeRun life) {
        Book book = books.remove(life);
        if (book != null) {
            open -= book.made.size();
        }
    }

    @Override
    public void closed(NodeRun life) {
        Book book = books.remove(life);
        if (book != null && !book.made.isEmpty()) {
            report(life + " is closed, and " + book.made.size() + " of its calls have not ended");
        }
    }

    @Override
    public void atRest(List<NodeRun> lives) {
        if (count(Outcome.OK) == 0) {
            report("no call of a test ended well");
        }
        if (open != 0) {
            report(open + " calls have not ended when the time to settle is over");
        }
        if (servedReadBytes < readBytes || servedWrittenBytes < writtenBytes) {
            report("nodes have read " + readBytes + " and written " + writtenBytes + " bytes, and others have served "
                    + servedReadBytes + " and " + servedWrittenBytes);
        }
    }
}
