package org.railyard.lnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.lnet.api.EventKind;
import org.railyard.lnet.api.Md;
import org.railyard.lnet.api.MdConfig;
import org.railyard.lnet.api.MdOption;
import org.railyard.lnet.api.MeConfig;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.ProcessId;
import org.railyard.lnet.sim.DirectLnd;
import org.railyard.lnet.sim.TestHost;

/** What a handler sends in one go is handed to the transport together, which takes as many of it as it likes. */
class SentTogetherTest {
    private static final int PORTAL = 33;
    private static final int BURST = 40;
    private static final Nid A = Nid.parse("10.0.0.1@tcp");
    private static final Nid B = Nid.parse("10.0.0.2@tcp");
    private static final Nid OTHER_A = Nid.parse("10.0.1.1@tcp");

    private final DirectLnd.Wire wire = new DirectLnd.Wire();
    private final TestHost hostA = new TestHost(1_700_000_000_000_000_000L);
    private final TestHost hostB = new TestHost(1_700_000_001_000_000_000L);
    private final LNet a = wire.node(hostA, A.toString(), OTHER_A.toString());
    private final LNet b = wire.node(hostB, B.toString());
    private final List<Long> arrived = new ArrayList<>();
    private final List<Nid> from = new ArrayList<>();

    @BeforeEach
    void discover() {
        a.discover(B, false);
        TestHost.settle(hostA, hostB);
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    private static MdConfig config() {
        return MdConfig.of(Arena.ofAuto().allocate(8));
    }

    /** The handler of a PUT's SEND sends many, from one NI or from two by turns; returns how many ended well. */
    private long sendInHandler(boolean twoNis) {
        b.attach(
                MeConfig.any(PORTAL),
                config().withOptions(MdOption.OP_PUT, MdOption.MANAGE_REMOTE).withHandler(event -> {
                    arrived.add(event.hdrData());
                    from.add(event.senderNid());
                }));
        List<Integer> ended = new ArrayList<>();
        Md burst = a.bind(config().withHandler(event -> ended.add(event.status())));
        Md first = a.bind(config().withHandler(event -> {
            for (int i = 1; event.kind() == EventKind.SEND && i <= BURST; i++) {
                Nid self = twoNis && i % 2 == 0 ? OTHER_A : A;
                a.put(burst, false, self, ProcessId.of(B), PORTAL, 0, 0, i);
            }
        }));
        a.put(first, false, A, ProcessId.of(B), PORTAL, 0, 0, 0);
        return ended.stream().filter(status -> status == 0).count();
    }

    private static List<Long> inOrder() {
        return LongStream.rangeClosed(0, BURST).boxed().toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 31, 32, 100})
    void whatTheTransportDoesNotTakeTogetherGoesAlone(int most) {
        wire.takeTogether(most);
        assertThat(sendInHandler(false)).isEqualTo(BURST);
        assertThat(arrived).isEqualTo(inOrder());
    }

    @Test
    void aTransportThatFailsHasTakenNone() {
        wire.takeTogether(-1);
        assertThat(sendInHandler(false)).isEqualTo(BURST);
        assertThat(arrived).isEqualTo(inOrder());
    }

    @Test
    void eachNiSendsItsOwn() {
        wire.takeTogether(100);
        assertThat(sendInHandler(true)).isEqualTo(BURST);
        assertThat(arrived).isEqualTo(inOrder());
        assertThat(from.subList(1, BURST + 1).stream().filter(OTHER_A::equals)).hasSize(BURST / 2);
    }
}
