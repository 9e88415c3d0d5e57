package org.railyard.selftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.railyard.selftest.Nodes.until;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.RpcWatch;
import org.railyard.selftest.api.SelftestSettings;
import org.railyard.selftest.wire.BrwRequest;
import org.railyard.selftest.wire.Pattern;
import org.railyard.selftest.wire.Request;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.Service;

/** A client asks a node to read its bulk data, and is gone before that. */
class GoneClientsTest {
    private static final int REQUESTS = 200;

    private final AtomicInteger asked = new AtomicInteger();
    private final List<Integer> ended = new CopyOnWriteArrayList<>();
    private final Nodes nodes = new Nodes();
    private final Nodes.Node server = nodes.add("127.0.0.11@tcp", SelftestSettings.DEFAULT, new RpcWatch() {
        @Override
        public void asked(ProcessId from, Service service, Request request) {
            asked.incrementAndGet();
        }

        @Override
        public void moved(ProcessId peer, Request request, boolean fetched, MemorySegment memory, int status) {
            ended.add(status);
        }
    });
    private final RawPeer gone = new RawPeer(nodes.addWithoutSelftest("127.0.0.12@tcp"), server.id());
    private final RawPeer other = new RawPeer(nodes.addWithoutSelftest("127.0.0.13@tcp"), server.id());
    private long ids = 1;

    @AfterEach
    void close() {
        nodes.close();
    }

    private static byte[] write(long replyId, long bulkId) {
        byte[] message = new byte[RpcMessage.BYTES];
        RpcMessage.writeRequest(
                MemorySegment.ofArray(message),
                Service.BRW,
                RpcMessage.EXACT_LENGTHS,
                new BrwRequest(replyId, bulkId, BrwRequest.WRITE, Pattern.PAGE, Pattern.NONE.number()));
        return message;
    }

    private int writeOf(RawPeer client) throws WireFormatException {
        long id = ++ids;
        client.offer(++ids, new byte[Pattern.PAGE], MdOption.OP_GET);
        MemorySegment reply = client.ask(Service.BRW, write(id, ids), id);
        return RpcMessage.readReply(reply, RpcMessage.BYTES, Service.BRW).body().status();
    }

    /** It offers nothing to be read: as if it had gone. */
    private void leaveRequests() {
        for (int i = 0; i < REQUESTS; i++) {
            gone.tell(Service.BRW, write(++ids, ++ids));
        }
        until("all that it may have is in use", () -> asked.get() == REQUESTS);
    }

    @Test
    void othersAreServed() throws WireFormatException {
        leaveRequests();
        assertThat(writeOf(other)).isZero();
    }

    @Test
    void whatItHadIsFreeWhenItsCallsHaveEnded() {
        leaveRequests();
        server.host().advance(Duration.ofSeconds(SelftestSettings.DEFAULT.rpcTimeout() + 1L));
        until("the end of the first ones", () -> ended.size() >= REQUESTS / 4);
        assertThat(ended).allMatch(status -> status == Errno.ETIMEDOUT.status());
    }
}
