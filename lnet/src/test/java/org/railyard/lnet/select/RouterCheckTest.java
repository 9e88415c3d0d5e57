package org.railyard.lnet.select;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.railyard.base.wire.Wire;
import org.railyard.lnet.api.PeerState;
import org.railyard.lnet.model.Message;
import org.railyard.lnet.model.Peer;
import org.railyard.lnet.model.Role;
import org.railyard.lnet.nid.Net;

/** The ping of a router check goes over the net that is checked, whatever speaks for others (spec 10 §8.4). */
class RouterCheckTest {
    private static final String NEAR = "10.0.0.5@tcp";
    private static final String CHECKED = "0.1@1>0.5@1";
    private static final String BEST = "0.1>0.5";

    private final Rails rails = new Rails();
    private Peer router = rails.peer(NEAR, "10.1.0.5@tcp1", "10.9.0.5@tcp9");

    /** The net that is checked is the worse one in every respect. */
    @BeforeEach
    void rails() {
        rails.local("10.0.0.1@tcp");
        rails.local("10.1.0.1@tcp1").health = 400;
        rails.peerNi("10.1.0.5@tcp1").health = 400;
        rails.route("tcp9", NEAR);
        checks(router, "tcp1");
        router.set(PeerState.ROUTER_DISCOVERY);
    }

    private static void checks(Peer router, @Nullable String net) {
        Objects.requireNonNull(router.gateway).checkedNet = net == null ? null : Net.parse(net);
    }

    private static Message ping(String source) {
        Message ping = Rails.unsent(source, NEAR);
        ping.header().setGet(Wire.NO_COOKIE, Wire.NO_COOKIE, Wire.RESERVED_PORTAL, Wire.PING_MATCH_BITS, 0, 272);
        return ping;
    }

    @Test
    void itsPingGoesOverTheNetThatIsChecked() {
        assertThat(rails.choose(ping("*"))).isEqualTo(CHECKED);
    }

    @Test
    void whatIsNoPingOfACheckGoesTheBestWay() {
        assertThat(rails.choose(Rails.put(NEAR))).as("a PUT").isEqualTo(BEST);
        Message elsewhere = Rails.put(NEAR);
        elsewhere.header().setGet(Wire.NO_COOKIE, Wire.NO_COOKIE, 33, 0, 0, 272);
        assertThat(rails.choose(elsewhere)).as("a GET from another portal").isEqualTo(BEST);
        assertThat(rails.choose(ping("10.0.0.1@tcp"))).as("with a source").isEqualTo(BEST);
        Message recovery = ping("*");
        recovery.become(Role.RECOVERY_PING);
        assertThat(rails.choose(recovery)).as("of a recovery").isEqualTo(BEST);
        router.clear(PeerState.ROUTER_DISCOVERY);
        assertThat(rails.choose(ping("*"))).as("no check is under way").isEqualTo(BEST);
    }

    @Test
    void aPeerThatIsNoGatewayIsNotChecked() {
        router.set(PeerState.ROUTER_DISCOVERY);
        router.gateway = null;
        assertThat(rails.choose(ping("*"))).isEqualTo(BEST);
    }

    @Test
    void withoutANetToCheckOrWhenThatFailedItGoesTheBestWay() {
        Message message = ping("*");
        assertThat(rails.choose(message)).isEqualTo(CHECKED);
        assertThat(rails.again(message)).as("that way failed").isEqualTo(BEST);
        checks(router, null);
        assertThat(rails.choose(ping("*"))).isEqualTo(BEST);
        checks(router, "tcp7");
        assertThat(rails.choose(ping("*"))).as("it is not there").isEqualTo(BEST);
        checks(router, "tcp1");
        rails.ni("10.1.0.1@tcp1").fatal = true;
        assertThat(rails.choose(ping("*"))).as("this node is not there").isEqualTo(BEST);
        rails.ni("10.0.0.1@tcp").fatal = true;
        assertThat(rails.choose(ping("*"))).isEqualTo("EHOSTUNREACH");
    }

    @Test
    void aRouterThatIsNotMultiRailIsPingedAtTheVeryNid() {
        router = rails.old("10.0.0.6@tcp", "10.1.0.6@tcp1");
        rails.route("tcp9", "10.0.0.6@tcp");
        checks(router, "tcp1");
        router.set(PeerState.ROUTER_DISCOVERY);
        Message message = ping("*");
        message.path()
                .request(
                        message.path().requestedSource(),
                        rails.peerNi("10.0.0.6@tcp").nid());
        assertThat(rails.choose(message)).isEqualTo("0.1>0.6");
    }
}
