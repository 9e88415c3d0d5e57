package org.railyard.o2iblnd;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.lnet.nid.Nid;
import org.railyard.o2iblnd.RawListener.Answer;
import org.railyard.o2iblnd.bond.RouteSetView;
import org.railyard.o2iblnd.bond.RouteSetView.Origin;
import org.railyard.o2iblnd.bond.RouteState;
import org.railyard.o2iblnd.bond.Target;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.o2iblnd.tune.Tunables;
import org.railyard.o2iblnd.wire.AdvertisedAddresses;
import org.railyard.o2iblnd.wire.ConnectionParameters;
import org.railyard.o2iblnd.wire.Kib;
import org.railyard.o2iblnd.wire.KibMessage;
import org.railyard.o2iblnd.wire.KibType;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.CmAddress;

/** Groups that tell each other where they are reached (spec 21 §7). */
class LearnedAddressesTest {
    private static final Map<String, Integer> ON = Map.of("advertise_ips", 1);
    private static final long STAMP = 4711;

    private final IbWorld world = new IbWorld(100_000_000, 3);

    private Side group(int machine, int members, Map<String, Integer> tunables) {
        return Side.group(world, machine, members, tunables).start();
    }

    private static RouteSetView seen(Side from, Nid peer) {
        return from.lnd().routes().stream()
                .filter(set -> set.peer().equals(peer))
                .findFirst()
                .orElseThrow();
    }

    private static List<Integer> rails(int machine, int... rails) {
        return IntStream.of(rails)
                .mapToObj(rail -> IbWorld.address(machine, rail))
                .toList();
    }

    @Test
    @Requirement({"cb-090", "cb-091"})
    void noTargetIsNeeded() {
        Side near = group(0, 2, ON);
        Side far = group(1, 3, ON);
        near.sendWell(far, 1, 10);
        RouteSetView set = seen(near, far.nid());
        assertThat(set.learned()).isEqualTo(rails(1, 0, 1, 2));
        assertThat(set.origin()).isEqualTo(Origin.LEARNED);
        assertThat(near.pairs(far)).containsExactly("0→0", "1→1", "0→2");
        near.sendWell(far, 9, 5000);
        assertThat(near.states(far)).containsOnly(RouteState.CONNECTED);
        assertThat(far.queuePairs(3)).containsExactly(1, 1, 1);
        assertThat(seen(far, near.nid()).learned())
                .as("only who asks for a connection learns")
                .isEmpty();
        near.link(0, false);
        world.time().run(IbWorld.SECOND);
        near.sendWell(far, 4, 10);
    }

    @Test
    @Requirement("cb-092")
    void bothSidesHaveToWantIt() {
        Side near = group(0, 2, Map.of());
        Side far = group(1, 2, ON);
        near.sendWell(far, 4, 10);
        assertThat(seen(near, far.nid()).learned()).as("does not believe it").isEmpty();
        assertThat(near.pairs(far)).containsExactly("0→0", "1→0");
        world.time().run(IbWorld.SECOND);
        near.lnd().close();
        Side again = group(0, 2, ON);
        Side silent = group(2, 2, Map.of());
        again.sendWell(silent, 4, 10);
        assertThat(seen(again, silent.nid()).learned()).as("is not told").isEmpty();
        assertThat(seen(again, silent.nid()).origin()).isEqualTo(Origin.NID);
    }

    @Test
    @Requirement("cb-091")
    void whatIsConfiguredComesFirst() {
        Side near = group(0, 2, ON).knows(1, 2);
        Side far = group(1, 3, ON);
        near.sendWell(far, 4, 10);
        assertThat(near.pairs(far)).containsExactly("0→2", "1→2");
        assertThat(seen(near, far.nid()).origin()).isEqualTo(Origin.TARGET);
        assertThat(seen(near, far.nid()).learned()).as("known all the same").hasSize(3);
        near.targets().remove(far.nid());
        world.time().run(IbWorld.SECOND);
        assertThat(near.pairs(far)).containsExactly("0→0", "1→1", "0→2");
        near.sendWell(far, 4, 10);
        near.targets().put(new Target(far.nid(), rails(1, 1)));
        world.time().run(IbWorld.SECOND);
        assertThat(near.pairs(far)).containsExactly("0→1", "1→1");
        near.sendWell(far, 4, 10);
    }

    @Test
    @Requirement("cb-091")
    void aPeerThatStartsAgainIsNotWhereItWas() {
        Side near = group(0, 2, ON);
        Side far = group(1, 3, ON);
        near.sendWell(far, 6, 10);
        far.lnd().close();
        world.time().run(3 * IbWorld.SECOND);
        Side again = group(1, 1, Map.of("advertise_ips", 0, "channel_bonding", 1));
        again.sendWell(near, 1, 10);
        assertThat(seen(near, far.nid()).learned())
                .as("a request of the new incarnation is enough")
                .isEmpty();
        assertThat(near.pairs(far)).containsExactly("0→0", "1→0");
        near.sendWell(again, 4, 10);
        assertThat(near.states(far)).containsOnly(RouteState.CONNECTED);
    }

    @Test
    @Requirement({"cb-090", "cb-091"})
    void interfacesThatCameAreToldWithTheNextConnection() {
        Side near = group(0, 2, ON);
        Side far = group(1, 2, ON);
        near.sendWell(far, 1, 10);
        assertThat(seen(near, far.nid()).learned()).isEqualTo(rails(1, 0, 1));
        far.lnd().setInterfaces(far.nid(), List.of("ib0", "ib1", "ib2"));
        near.sendWell(far, 2, 10);
        assertThat(seen(near, far.nid()).learned())
                .as("the second route was connected now")
                .isEqualTo(rails(1, 0, 1, 2));
        near.sendWell(far, 6, 10);
        assertThat(near.pairs(far)).containsExactly("0→0", "1→1", "0→2");
    }

    private Answer accept(KibMessage request, String list) {
        KibMessage answer = new KibMessage();
        answer.setConnection(request.header().version(), KibType.CONNACK, ConnectionParameters.of(8, 256));
        answer.header().setSource(request.header().destinationNid(), STAMP);
        answer.header()
                .setDestination(request.header().sourceNid(), request.header().sourceStamp());
        byte[] more = HexFormat.of().parseHex(list);
        MemorySegment data = Arena.ofAuto().allocate(AdvertisedAddresses.OFFSET + more.length);
        answer.write(data, 0);
        MemorySegment.copy(MemorySegment.ofArray(more), 0, data, AdvertisedAddresses.OFFSET, more.length);
        return new Answer(true, data);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4c4e493100",
                "4c4e4931ff0a000102",
                "4c4e4931020a0001020a000102",
                "4c4e493101e0000001",
                "4c4e4931010a000001",
                "ffffffff"
            })
    @Requirement({"cb-090", "cb-092"})
    void aListThatCanNotBeUsedIsIgnoredAndTheConnectionStays(String list) {
        RawListener peer = new RawListener(
                world.node(1),
                new CmAddress(IbWorld.address(1, 0), Kib.SERVICE_PORT),
                request -> accept(request, list));
        Side near = group(0, 2, ON);
        near.send(IbWorld.nid(1, 0), 2, 10);
        assertThat(world.time()
                        .runUntil(
                                () -> peer.requests().size() == 2
                                        && seen(near, IbWorld.nid(1, 0)).routes().stream()
                                                .allMatch(route -> route.state() == RouteState.CONNECTED),
                                IbWorld.SECOND))
                .isTrue();
        assertThat(seen(near, IbWorld.nid(1, 0)).learned()).isEmpty();
        assertThat(seen(near, IbWorld.nid(1, 0)).routes()).hasSize(2);
    }

    @Test
    @Requirement("cb-092")
    void aListThatLeadsNowhereIsGivenUpForTheAddressInTheNid() {
        Side near = group(0, 2, ON).knows(1, 1);
        Side far = group(1, 2, ON);
        far.lnd().setInterfaces(far.nid(), List.of("ib1"));
        near.sendWell(far, 2, 10);
        near.targets().remove(far.nid());
        world.time().run(3 * IbWorld.SECOND);
        assertThat(seen(near, far.nid()).origin()).isEqualTo(Origin.LEARNED);
        assertThat(near.pairs(far)).containsExactly("0→1", "1→1");
        far.lnd().setInterfaces(far.nid(), List.of("ib0"));
        world.time().run(3 * IbWorld.SECOND);
        near.sendWell(far, 6, 10);
        assertThat(seen(near, far.nid()).learned()).as("told anew").isEqualTo(rails(1, 0));
        assertThat(near.pairs(far)).containsExactly("0→0", "1→0");
        assertThat(Tunables.DEFAULT.get(O2ibTunable.ADVERTISE_IPS))
                .as("nobody does all this without being told to")
                .isZero();
    }
}
