package org.railyard.selftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.railyard.selftest.Nodes.until;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.wire.BatchReply;
import org.railyard.selftest.wire.BrwRequest;
import org.railyard.selftest.wire.Pattern;
import org.railyard.selftest.wire.PingTestReply;
import org.railyard.selftest.wire.Reply;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.Service;
import org.railyard.selftest.wire.StatReply;

/**
 * A big-endian node tests ours, and is its console: every number of its messages and of its bulk data is the other way
 * round.
 */
class BigEndianTest {
    private static final int EBADMSG = 74;
    private static final long STAMP = 1_754_000_000_123L;
    private static final int BATCH = 1;

    private final Nodes nodes = new Nodes();
    private final Nodes.Node ours = nodes.add("127.0.0.11@tcp");
    private final Nodes.Node other = nodes.add("127.0.0.12@tcp");
    private final RawPeer peer = new RawPeer(nodes.addWithoutSelftest("127.0.0.13@tcp"), ours.id());
    private long ids = 1;

    @AfterEach
    void close() {
        nodes.close();
    }

    private ByteBuffer message(Service service) {
        return ByteBuffer.allocate(RpcMessage.BYTES)
                .putInt(0xeeb0f00d)
                .putInt(1)
                .putInt(service.requestType())
                .putLong(0)
                .putInt(RpcMessage.EXACT_LENGTHS)
                .putLong(++ids);
    }

    private ByteBuffer ofSession(Service service) {
        return message(service).putLong(peer.lnet().nids().getFirst().nid4()).putLong(STAMP);
    }

    private Reply ask(Service service, ByteBuffer message) throws WireFormatException {
        MemorySegment reply = peer.askBigEndian(service, message);
        return RpcMessage.readReply(reply, RpcMessage.BYTES, service).body();
    }

    @Test
    void aPingIsAnsweredWithItsNumber() throws WireFormatException {
        PingTestReply reply = (PingTestReply) ask(
                Service.PING,
                message(Service.PING).putInt(0xbabeface).putInt(77).putLong(1).putLong(2));
        assertThat(reply.status()).isZero();
        assertThat(reply.sequence()).isEqualTo(77);
    }

    private int write(long word) throws WireFormatException {
        int length = 2 * Pattern.PAGE;
        ByteBuffer data = ByteBuffer.allocate(length);
        while (data.hasRemaining()) {
            data.putLong(word);
        }
        long bulkId = ++ids;
        peer.offer(bulkId, data.array(), MdOption.OP_GET);
        return ask(
                        Service.BRW,
                        message(Service.BRW)
                                .putLong(bulkId)
                                .putInt(BrwRequest.WRITE)
                                .putInt(length)
                                .putInt(Pattern.FULL.number()))
                .status();
    }

    @Test
    void dataIsCheckedInTheOrderOfWhoWroteIt() throws WireFormatException {
        assertThat(write(Pattern.MAGIC)).isZero();
        assertThat(write(Long.reverseBytes(Pattern.MAGIC))).isEqualTo(EBADMSG);
    }

    @Test
    void itsConsoleLetsOursTestAnother() throws WireFormatException {
        assertThat(ask(
                                Service.MAKE_SESSION,
                                ofSession(Service.MAKE_SESSION).putInt(0).put("big".getBytes(StandardCharsets.UTF_8)))
                        .status())
                .isZero();
        assertThat(test(ProcessId.ANY, Service.PING, 0, 0)).as("nobody to call").isEqualTo(Errno.EINVAL.number());
        assertThat(test(new ProcessId(other.id().nid(), ProcessId.ANY_PID), Service.PING, 0, 0))
                .isEqualTo(Errno.EINVAL.number());
        assertThat(test(other.id(), Service.PING, 0, 0)).isZero();
        assertThat(test(other.id(), Service.BRW, BrwRequest.READ << 16 | Pattern.FULL.number(), Pattern.PAGE))
                .isZero();
        assertThat(batch(1).status()).isZero();
        until("the end of the tests", () -> {
            try {
                return batch(3).active() == 0;
            } catch (WireFormatException e) {
                throw new AssertionError(e);
            }
        });
        StatReply stat = (StatReply) ask(Service.STAT, ofSession(Service.STAT).putInt(0));
        assertThat(stat.framework().brwErrors() + stat.framework().pingErrors()).isZero();
        assertThat(stat.rpc().sent()).isEqualTo(2 * 5);
        assertThat(ask(Service.REMOVE_SESSION, ofSession(Service.REMOVE_SESSION))
                        .status())
                .isZero();
    }

    /** Gives ours the part of a client that calls five times, with exact lengths: operation and check share a word. */
    private int test(ProcessId target, Service what, int first, int second) throws WireFormatException {
        long bulkId = ++ids;
        peer.offer(
                bulkId,
                ByteBuffer.allocate(12)
                        .putLong(target.nid().nid4())
                        .putInt(target.pid())
                        .array(),
                MdOption.OP_GET);
        ByteBuffer request = message(Service.TEST)
                .putLong(bulkId)
                .putLong(peer.lnet().nids().getFirst().nid4())
                .putLong(STAMP)
                .putLong(BATCH)
                .putInt(what.id())
                .putInt(5)
                .putInt(1)
                .put((byte) 1)
                .put((byte) 1)
                .putInt(1)
                .putInt(first)
                .putInt(second)
                .putInt(0);
        return ask(Service.TEST, request).status();
    }

    private BatchReply batch(int operation) throws WireFormatException {
        return (BatchReply) ask(
                Service.BATCH,
                ofSession(Service.BATCH)
                        .putLong(BATCH)
                        .putInt(operation)
                        .putInt(0)
                        .putInt(0));
    }
}
