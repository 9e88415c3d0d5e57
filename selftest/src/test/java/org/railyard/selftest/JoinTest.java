package org.railyard.selftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.railyard.selftest.Nodes.value;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.wire.WireFormatException;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.selftest.api.NodeState;
import org.railyard.selftest.api.NodeView;
import org.railyard.selftest.api.TestSpec;
import org.railyard.selftest.wire.JoinRequest;
import org.railyard.selftest.wire.RpcMessage;
import org.railyard.selftest.wire.Service;
import org.railyard.selftest.wire.SessionId;
import org.railyard.selftest.wire.WelcomeReply;

/** A node asks a console for a place in a group. */
class JoinTest {
    private static final int KEY = 9;

    private final Nodes nodes = new Nodes();
    private final Nodes.Node console = nodes.add("127.0.0.11@tcp");
    private final Nodes.Node tested = nodes.add("127.0.0.12@tcp");
    private final RawPeer peer = new RawPeer(nodes.addWithoutSelftest("127.0.0.13@tcp"), console.id());
    private long ids = 1;

    @AfterEach
    void close() {
        nodes.close();
    }

    private WelcomeReply join(SessionId session, String group, int features) throws WireFormatException {
        byte[] message = new byte[RpcMessage.BYTES];
        long id = ++ids;
        RpcMessage.writeRequest(
                MemorySegment.ofArray(message), Service.JOIN, features, new JoinRequest(id, session, group));
        return (WelcomeReply) RpcMessage.readReply(peer.ask(Service.JOIN, message, id), RpcMessage.BYTES, Service.JOIN)
                .body();
    }

    private void refused(Errno why, SessionId session, String group, int features) throws WireFormatException {
        assertThat(join(session, group, features).status()).isEqualTo(why.number());
    }

    @Test
    void withoutASessionThereIsNoPlace() throws WireFormatException {
        WelcomeReply reply = join(SessionId.NONE, "g", 1);
        assertThat(reply.status()).isEqualTo(Errno.ESRCH.number());
        assertThat(reply.session()).isEqualTo(SessionId.NONE);
    }

    @Test
    void aNodeIsTakenIntoAGroupOnce() throws WireFormatException {
        console.console().newSession("mine", KEY, 250, false, 1);
        WelcomeReply reply = join(SessionId.NONE, "g", 1);
        assertThat(reply.status()).isZero();
        assertThat(reply.timeout()).isEqualTo(250);
        assertThat(reply.name()).isEqualTo("mine");
        assertThat(console.console().groups(KEY)).singleElement().satisfies(group -> {
            assertThat(group.name()).isEqualTo("g");
            assertThat(group.nodes())
                    .containsExactly(
                            new NodeView(ProcessId.of(peer.lnet().nids().getFirst()), NodeState.ACTIVE));
        });
        refused(Errno.EEXIST, reply.session(), "g", 1);
        assertThat(join(reply.session(), "h", 1).status()).isZero();
    }

    @Test
    void whatDoesNotFitIsRefused() throws WireFormatException {
        console.console().newSession("mine", KEY, 250, false, 1);
        refused(Errno.EPROTO, SessionId.NONE, "g", 0);
        refused(Errno.EBUSY, new SessionId(console.id().nid().nid4(), 1), "g", 1);
        refused(Errno.EINVAL, SessionId.NONE, "", 1);
        assertThat(console.console().groups(KEY)).isEmpty();
    }

    @Test
    void aGroupOfATestDoesNotGrow() throws WireFormatException {
        console.console().newSession("mine", KEY, 250, false, 1);
        for (String group : List.of("c", "s")) {
            assertThat(value(console.console().addToGroup(KEY, group, List.of(tested.id()))))
                    .allMatch(each -> each.status() == 0);
        }
        assertThat(value(console.console().addTest(KEY, "batch", TestSpec.ping("c", "s", 1, 1, 1, 1))))
                .allMatch(each -> each.status() == 0);
        refused(Errno.EBUSY, SessionId.NONE, "c", 1);
    }
}
