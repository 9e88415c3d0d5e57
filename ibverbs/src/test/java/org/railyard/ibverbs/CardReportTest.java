package org.railyard.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.host.RealHost;
import org.railyard.ibverbs.ffi.NativeVerbs;
import org.railyard.ibverbs.standin.StandIn;
import org.railyard.ibverbs.standin.StandInNetwork;
import org.railyard.verbs.VerbsException;

/** What people are told of the cards and of the settings of the system. */
final class CardReportTest {
    private static final SystemSettings GOOD = new SystemSettings(OptionalLong.empty(), 0, 0, false, _ -> 24);
    private static final List<InterfaceProbe.Address> ADDRESSES = List.of(
            new InterfaceProbe.Address("ib0", StandInWorld.FIRST_IP),
            new InterfaceProbe.Address("eth0", StandInWorld.FIRST_IP + 50));

    private static CardReport report(SystemSettings settings, boolean up, List<InterfaceProbe.Address> addresses) {
        try (StandInNetwork network = new StandInNetwork()) {
            StandIn machine = network.add("mlx5_0", StandInWorld.FIRST_IP);
            if (!up) {
                machine.port(false);
            }
            CardReport report =
                    CardReport.of(new NativeCards(new NativeVerbs(machine.functions())), addresses, settings);
            assertThat(machine.leftovers()).isEmpty();
            return report;
        }
    }

    @Test
    void cardsPortsAndInterfacesAreShown() {
        CardReport report = report(GOOD, true, ADDRESSES);
        CardReport.Card card = report.cards().getFirst();
        assertThat(card.name()).isEqualTo("mlx5_0");
        assertThat(card.nodeGuid()).isEqualTo("0002c90300001234");
        CardReport.Port port = card.ports().getFirst();
        assertThat(port.attributes().linkRate()).isEqualTo(1_000_000);
        assertThat(port.attributes().activeMtu()).isEqualTo(2048);
        assertThat(port.attributes().maxMtu()).isEqualTo(4096);
        assertThat(port.gids()).containsExactly("fe80:0000:0000:0000:0002:c903:0000:1235");
        assertThat(port.interfaces().toString()).isEqualTo("[ib0 10.79.0.1]");
        assertThat(report.problems()).isEmpty();
    }

    @Test
    void problemsSayWhatToDo() {
        assertThat(report(GOOD, true, List.of()).problems())
                .singleElement()
                .asString()
                .isEqualTo("mlx5_0/1 has no IP address; configure IPoIB (ib0): modprobe ib_ipoib");
        assertThat(report(GOOD, false, ADDRESSES).problems())
                .singleElement()
                .asString()
                .startsWith("mlx5_0/1 is DOWN");
        SystemSettings poor = new SystemSettings(OptionalLong.of(8 << 20), 1024, 0, true, _ -> 24);
        assertThat(report(poor, true, ADDRESSES).problems())
                .satisfiesExactly(
                        memory -> assertThat(memory)
                                .hasToString("registered memory: 8 MiB allowed (ulimit -l), 128 MiB wanted;"
                                        + " set LimitMEMLOCK=infinity, or give CAP_IPC_LOCK"),
                        port -> assertThat(port.line()).contains("CAP_NET_BIND_SERVICE"),
                        daemon -> assertThat(daemon.line()).contains("ibacm"));
        SystemSettings privileged =
                new SystemSettings(OptionalLong.of(8 << 20), 1024, 1L << 10 | 1L << 14, false, _ -> 24);
        assertThat(report(privileged, true, ADDRESSES).problems()).isEmpty();
    }

    @Test
    void aCardThatDoesNotAnswerIsAProblemAndNoMore() {
        try (StandInNetwork network = new StandInNetwork()) {
            StandIn machine = network.add("mlx5_0", StandInWorld.FIRST_IP);
            NativeCards cards = new NativeCards(new NativeVerbs(machine.functions()));
            machine.fails("ibv_query_port", 5);
            CardReport report = CardReport.of(cards, ADDRESSES, GOOD);
            assertThat(report.cards()).isEmpty();
            assertThat(report.problems()).singleElement().asString().startsWith("mlx5_0 does not answer");
            machine.fails("rdma_get_devices", 19);
            VerbsException none = catchThrowableOfType(
                    VerbsException.class, () -> new NativeCards(new NativeVerbs(machine.functions())));
            assertThat(CardReport.absent(none)).satisfies(problem -> {
                assertThat(problem.kind()).isEqualTo(CardProblem.Kind.ABSENT);
                assertThat(problem.line()).contains("no RDMA device");
            });
        }
    }

    @Test
    void aCardThatWasTakenAwayIsToldThoughItStillAnswers() {
        try (StandInNetwork network = new StandInNetwork()) {
            StandIn machine = network.add("mlx5_0", StandInWorld.FIRST_IP);
            machine.addCard("mlx5_1", StandInWorld.FIRST_IP + 1);
            NativeCards cards = new NativeCards(new NativeVerbs(machine.functions()));
            try (IbvProvider provider = new IbvProvider(new RealHost(), cards, List.of())) {
                provider.removed(provider.device(machine.context()));
            }
            CardReport report = CardReport.of(cards, List.of(), GOOD);
            assertThat(report.cards()).extracting(CardReport.Card::name).containsExactly("mlx5_1");
            assertThat(report.problems())
                    .first()
                    .asString()
                    .isEqualTo("mlx5_0 was taken away from this program; when 'rdma link' shows it again, restart the"
                            + " program");
        }
    }

    @Test
    void portsInOneSubnetAreTold() {
        CardReport.Card one = report(GOOD, true, ADDRESSES).cards().getFirst();
        CardReport.Card other = new CardReport.Card(
                "mlx5_1",
                "",
                "0",
                "",
                List.of(new CardReport.Port(
                        1,
                        one.ports().getFirst().attributes(),
                        List.of(),
                        List.of(new CardReport.Interface("ib1", StandInWorld.FIRST_IP + 1)))));
        assertThat(GOOD.problems(List.of(one, other)))
                .singleElement()
                .asString()
                .startsWith("ib0, ib1 are in one subnet")
                .contains("arp_ignore=1");
        SystemSettings narrow = new SystemSettings(OptionalLong.empty(), 0, 0, false, _ -> 32);
        assertThat(narrow.problems(List.of(one, other))).isEmpty();
    }

    @Test
    void filesOfTheSystemAreRead() {
        String limits = """
            Limit                     Soft Limit           Hard Limit           Units
            Max locked memory         8388608              8388608              bytes
            """;
        assertThat(MemoryLimit.parse(limits)).hasValue(8 << 20);
        assertThat(MemoryLimit.parse(limits.replace("8388608", "unlimited"))).isEmpty();
        assertThat(MemoryLimit.parse("rubbish")).isEmpty();
        assertThat(SystemSettings.capabilities("Name:\tx\nCapEff:\t0000000000004400\n"))
                .isEqualTo(1L << 10 | 1L << 14);
        assertThat(SystemSettings.capabilities("CapEff:\tzzz")).isZero();
        assertThat(SystemSettings.firstFreePort("80\n")).isEqualTo(80);
        assertThat(SystemSettings.firstFreePort("")).isEqualTo(1024);
    }

    @Test
    void numbersOfTheLibraryHaveTheirMeanings() {
        assertThat(DeviceFacts.driver("mlx5_0")).isEqualTo("mlx5");
        assertThat(DeviceFacts.driver("rxe0")).isEqualTo("rxe");
        assertThat(PortFacts.mtu(5)).isEqualTo(4096);
        assertThat(PortFacts.mtu(99)).isEqualTo(256);
        assertThat(PathRates.of(16)).isEqualTo(1_000_000);
        assertThat(PathRates.of(63)).isZero();
        assertThat(AsyncEvents.isOfQp(4)).isTrue();
        assertThat(AsyncEvents.isOfQp(18)).isFalse();
        assertThat(AsyncEvents.isOfPort(18)).isTrue();
    }

    @Test
    void theNumaNodeOfACard(@TempDir Path cards) throws IOException {
        Path device = Files.createDirectories(cards.resolve("mlx5_0").resolve("device"));
        Files.writeString(device.resolve("numa_node"), "1\n");
        assertThat(SystemSettings.numaNode(cards, "mlx5_0")).isEqualTo(1);
        assertThat(SystemSettings.numaNode(cards, "rxe0")).as("no real card").isEqualTo(-1);
        Files.writeString(device.resolve("numa_node"), "");
        assertThat(SystemSettings.numaNode(cards, "mlx5_0")).isEqualTo(-1);
    }
}
