package org.railyard.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.railyard.roce.wire.CmReject;
import org.railyard.roce.wire.CmRequest;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.AsyncEvent;
import org.railyard.verbs.CmAddress;
import org.railyard.verbs.CmEvent;
import org.railyard.verbs.CmId;
import org.railyard.verbs.CmRejectReason;
import org.railyard.verbs.ConnectParameters;
import org.railyard.verbs.Cq;
import org.railyard.verbs.EventLoop;
import org.railyard.verbs.Pd;
import org.railyard.verbs.PortAttributes;
import org.railyard.verbs.Qp;
import org.railyard.verbs.QpCapabilities;

/** The MTU of an interface changes while a provider runs: packets of new connections follow. */
class InterfaceMtuTest {
    private static final int SERVICE = 987;
    private static final int PEER = VirtualWorld.ip(77);
    private static final long ROUTE_NANOS = 1_000_000_000L;
    private static final int CODE_512 = 2;
    private static final int CODE_1024 = 3;
    private static final int CODE_4096 = 5;

    private final VirtualWorld world = new VirtualWorld(5, 1500, false);
    private final BareNode peer = new BareNode(world.net(), PEER);
    private final EventLoop loop = world.provider(0).createEventLoop("mtu");
    private final List<CmId> requests = new ArrayList<>();
    private @Nullable Qp qp;

    @BeforeEach
    void listen() {
        inLoop(() -> {
            CmId id = world.provider(0).createId(loop, (_, event) -> {
                CmId request = event.request();
                if (request != null) {
                    requests.add(request);
                }
            });
            id.bind(world.address(0, SERVICE), false);
            id.listen();
        });
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void inLoop(Runnable task) {
        loop.execute(task);
        world.settle();
    }

    private void ask(int number, int mtuCode) {
        peer.say(
                VirtualWorld.ip(0),
                new CmRequest(
                        number,
                        0x0200_0000_1234_5678L,
                        number,
                        0,
                        5,
                        6,
                        mtuCode,
                        19,
                        7,
                        PEER,
                        1021,
                        VirtualWorld.ip(0),
                        SERVICE,
                        0,
                        MemorySegment.NULL));
        world.settle();
    }

    private PortAttributes port() {
        return world.provider(0).devices().getFirst().port(1);
    }

    private void accept() {
        inLoop(() -> {
            CmId id = requests.getLast();
            Pd pd = Objects.requireNonNull(id.device()).openPd();
            Cq cq = Objects.requireNonNull(id.device()).createCq(64, loop, _ -> {});
            qp = id.createQp(pd, cq, new QpCapabilities(16, 8, 1));
            id.accept(ConnectParameters.DEFAULT, MemorySegment.NULL);
        });
    }

    @Test
    @Requirement("sv-041")
    void largerPacketsAreTakenAsSoonAsTheyFit() {
        ask(10, CODE_4096);
        assertThat(peer.last(CmReject.class).reason()).isEqualTo(CmRejectReason.INVALID_MTU);
        assertThat(requests).isEmpty();
        world.net().setMtu(VirtualWorld.ip(0), 4200);
        world.settle();
        assertThat(port().activeMtu()).isEqualTo(4096);
        ask(11, CODE_4096);
        assertThat(requests).hasSize(1);
    }

    /** An NI that is added right behind the change does not wait for the next look at the interfaces. */
    @Test
    void anNiBeginsWithTheMtuOfThatMoment() {
        List<Integer> seen = new ArrayList<>();
        inLoop(() -> {
            world.net().setMtu(VirtualWorld.ip(0), 9000);
            world.provider(0).devices().getFirst().openPd();
            seen.add(port().activeMtu());
        });
        assertThat(seen).containsExactly(4096);
    }

    @Test
    void connectionsWhosePacketsDoNotFitAnyMoreEndAndOthersStay() {
        ask(20, CODE_1024);
        accept();
        Qp large = Objects.requireNonNull(qp);
        ask(21, CODE_512);
        accept();
        Qp exact = Objects.requireNonNull(qp);
        ask(23, 1);
        accept();
        Qp small = Objects.requireNonNull(qp);
        List<AsyncEvent> told = new ArrayList<>();
        inLoop(() -> world.provider(0).devices().getFirst().listen(loop, (_, event) -> told.add(event)));
        world.net().setMtu(VirtualWorld.ip(0), 600);
        world.settle();
        assertThat(port().activeMtu()).isEqualTo(512);
        assertThat(large.state()).isEqualTo(Qp.State.ERROR);
        assertThat(exact.state()).isEqualTo(Qp.State.READY_TO_SEND);
        assertThat(small.state()).isEqualTo(Qp.State.READY_TO_SEND);
        assertThat(told).as("the port stays up").isEmpty();
        ask(22, CODE_1024);
        assertThat(peer.last(CmReject.class).reason()).isEqualTo(CmRejectReason.INVALID_MTU);
    }

    /** Otherwise its large messages would be sent in vain until it is given up. */
    @Test
    void aConnectionThatComesUpWithPacketsThatDoNotFitAnyMoreEnds() {
        ask(30, CODE_1024);
        world.net().setMtu(VirtualWorld.ip(0), 600);
        world.settle();
        accept();
        assertThat(Objects.requireNonNull(qp).state()).isEqualTo(Qp.State.ERROR);
    }

    private void connect(CmId id, CmEvent event, ConnectParameters parameters) {
        switch (event.type()) {
            case ADDRESS_RESOLVED -> id.resolveRoute(-1, ROUTE_NANOS);
            case ROUTE_RESOLVED -> {
                Pd pd = Objects.requireNonNull(id.device()).openPd();
                Cq cq = Objects.requireNonNull(id.device()).createCq(64, loop, _ -> {});
                id.createQp(pd, cq, new QpCapabilities(16, 8, 1));
                id.connect(parameters, MemorySegment.NULL);
            }
            default -> throw new AssertionError("unexpected " + event);
        }
    }

    /** Whoever connects may ask for smaller packets than the interface takes, and gets no larger ones (spec 20 §2). */
    @ParameterizedTest
    @CsvSource({"0, 3", "256, 1", "512, 2", "1024, 3", "4096, 3"})
    void aConnectionAsksForThePacketsThatItIsTold(int maxMtu, int code) {
        ConnectParameters parameters = new ConnectParameters(5, 6, maxMtu);
        inLoop(() -> {
            CmId id = world.provider(0).createId(loop, (which, event) -> connect(which, event, parameters));
            id.resolveAddress(new CmAddress(PEER, SERVICE), ROUTE_NANOS);
        });
        assertThat(peer.last(CmRequest.class).mtuCode()).isEqualTo(code);
    }

    @Test
    void anInterfaceThatTakesNoPacketsIsDown() {
        world.net().setMtu(VirtualWorld.ip(0), 300);
        world.settle();
        assertThat(port().state()).isEqualTo(PortAttributes.State.DOWN);
        world.net().setMtu(VirtualWorld.ip(0), 1500);
        world.settle();
        assertThat(port().state()).isEqualTo(PortAttributes.State.ACTIVE);
    }
}
