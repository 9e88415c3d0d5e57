package org.railyard.node.o2ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.doctor.HostFacts.CardFault;
import org.railyard.doctor.HostFacts.CardTrouble;
import org.railyard.ibverbs.CardProblem;
import org.railyard.ibverbs.MemoryMode;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.o2iblnd.bond.BondFinding;
import org.railyard.o2iblnd.bond.TargetFile;
import org.railyard.roce.api.RoceSettings;
import org.railyard.roce.api.RoceTunable;
import org.railyard.testkit.NeedsFile;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsProvider;

/** Which cards a daemon uses, and what it says without any. */
class DaemonCardsTest {
    @TempDir
    private Path dir = Path.of("");

    /** A machine without the cards that it is asked for. */
    private static final class Absent implements CardKind {
        private final List<String> asked = new ArrayList<>();

        @Override
        public String name() {
            return "absent";
        }

        @Override
        public VerbsProvider open(Host host, List<String> interfaces) {
            asked.addAll(interfaces);
            throw new VerbsException(VerbsException.Code.ENODEV, "no such device");
        }
    }

    private static DaemonCards open(Map<String, String> parameters, CardKind... kinds) {
        return new DaemonCards(parameters, List.of(kinds), ip -> 0);
    }

    private static void start(DaemonCards cards) {
        LNet.start(LNetConfig.builder()
                        .lnd(cards.lnd())
                        .ni(NiRequest.ofInterface(Net.parse("o2ib"), "ib0"))
                        .build())
                .close();
    }

    @Test
    void withoutCardsANiIsRefusedWithWhatToDo() {
        DaemonCards none = open(Map.of("verbs", "none"), new Absent());
        assertThat(none.transport()).isNull();
        assertThatThrownBy(() -> start(none))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV))
                .hasMessageContaining("no NI on o2ib: there are no RDMA devices")
                .hasMessageContaining("start it with --verbs and one of absent");
        none.close();
    }

    @Test
    void kindsAreFoundByName() {
        assertThatThrownBy(() -> open(Map.of("verbs", "iwarp"), new Absent()))
                .hasMessageContaining("--verbs is 'iwarp'; expected 'none' or one of absent");
        for (String empty : List.of("absent:", "absent:eth0,,eth1", "absent: ")) {
            assertThatThrownBy(() -> open(Map.of("verbs", empty), new Absent()))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                    .hasMessageContaining("--verbs is '" + empty + "'; expected names behind 'absent:'");
        }
        Absent absent = new Absent();
        DaemonCards cards = open(Map.of("verbs", "absent:eth0,eth1"), absent);
        assertThat(absent.asked).as("when they are needed").isEmpty();
        assertThatThrownBy(() -> start(cards))
                .isInstanceOfSatisfying(
                        ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV))
                .hasMessageContaining("--verbs absent: ENODEV: no such device");
        assertThat(absent.asked).containsExactly("eth0", "eth1");
        assertThatThrownBy(() -> start(open(Map.of("verbs", "roce"), new RoceCards(Map.of()))))
                .hasMessageContaining("--verbs roce: network interfaces or addresses are missing");
    }

    @Test
    void whatKeepsCardsFromBeingUsedIsKnownOfThoseThatAreAskedForOnly() {
        CardFault fault = new CardFault(CardTrouble.PORT_DOWN, "mlx5_0/1", "is DOWN", List.of());
        CardKind cards = new CardKind() {
            @Override
            public String name() {
                return "cards";
            }

            @Override
            public VerbsProvider open(Host host, List<String> interfaces) {
                throw new VerbsException(VerbsException.Code.ENODEV, "no such device");
            }

            @Override
            public List<CardFault> faults() {
                return List.of(fault);
            }
        };
        assertThat(open(Map.of("verbs", "cards"), cards).faults()).containsExactly(fault);
        assertThat(open(Map.of("verbs", "none"), cards).faults()).isEmpty();
        assertThat(open(Map.of("verbs", "absent"), new Absent()).faults()).isEmpty();
        for (CardProblem.Kind kind : CardProblem.Kind.values()) {
            assertThat(IbvCards.fault(new CardProblem(kind, "x", "found", "remedy", List.of("ib0"))))
                    .isEqualTo(new CardFault(CardTrouble.valueOf(kind.name()), "x", "found", List.of("ib0")));
        }
    }

    @Test
    void parametersOfTheTransport() {
        assertThat(List.of("verbs", "o2iblnd.timeout", "o2ibs_conf")).allMatch(DaemonCards::takes);
        assertThat(List.of("timeout", "verbose", "conns_per_peer")).noneMatch(DaemonCards::takes);
        assertThatThrownBy(() -> open(Map.of("o2iblnd.timeouts", "1")))
                .hasMessageContaining("o2iblnd has no tunable 'timeouts' (did you mean 'timeout'?)");
    }

    @Test
    @Requirement("ibv-032")
    void memoryIsRegisteredOnDemandOnlyWhenThatIsAskedFor() {
        assertThat(IbvCards.byName(Map.of()).memory()).isEqualTo(MemoryMode.COPY);
        assertThat(IbvCards.automatic(Map.of("roce.offload", "0")).memory()).isEqualTo(MemoryMode.COPY);
        assertThat(IbvCards.automatic(Map.of("ibv.memory", "cache")).memory()).isEqualTo(MemoryMode.CACHE);
        assertThat(IbvCards.byName(Map.of("ibv.memory", "on_demand")).memory()).isEqualTo(MemoryMode.ON_DEMAND);
        assertThatThrownBy(() -> IbvCards.byName(Map.of("ibv.memory", "all")))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("memory is 'all'");
        assertThatThrownBy(() -> IbvCards.byName(Map.of("ibv.memroy", "copy")))
                .hasMessageContaining("ibv has no tunable 'memroy' (did you mean 'memory'?)");
        assertThat(DaemonCards.parameters()).contains("ibv.memory");
        assertThat(DaemonCards.takes("ibv.memory")).isTrue();
    }

    @Test
    void parametersOfRoce() {
        assertThat(DaemonCards.parameters())
                .contains("roce.offload", "roce.busy_poll")
                .allMatch(DaemonCards::takes);
        assertThat(new RoceCards(Map.of("roce.offload", "0", "roce.busy_poll", "20", "verbs", "roce:eth0")).name())
                .isEqualTo("roce");
        assertThatThrownBy(() -> new RoceCards(Map.of("roce.busypoll", "1")))
                .hasMessageContaining("roce has no tunable 'busypoll' (did you mean 'busy_poll'?)");
        assertThatThrownBy(() -> new RoceCards(Map.of("roce.busy_poll", "10001")))
                .hasMessageContaining("busy_poll is '10001'; expected 0…10000 µs, the default is 0");
        assertThat(RoceTunable.OFFLOAD.in(RoceSettings.DEFAULT, 0).offload()).isFalse();
        assertThat(RoceTunable.BUSY_POLL.in(RoceSettings.DEFAULT, 20).busyPollNanos())
                .isEqualTo(20_000);
    }

    @Test
    @Requirement({"cb-020", "cb-026"})
    void theTargetFile() throws IOException {
        assertThat(DaemonCards.read(dir.resolve("nothing.conf"))).isEqualTo(TargetFile.Content.NONE);
        Path file = Files.writeString(dir.resolve("o2ibs.conf"), "10.1.1.2@o2ib 10.1.1.2, 10.1.1.4\n");
        assertThat(DaemonCards.read(file).targets()).hasSize(1);
        assertThat(DaemonCards.read(dir).findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.severity()).isEqualTo(BondFinding.Severity.ERROR));
    }

    @Test
    @NeedsFile("/dev/zero")
    void aTargetFileWithoutEnd() {
        assertThat(DaemonCards.read(Path.of("/dev/zero")).findings())
                .singleElement()
                .satisfies(finding ->
                        assertThat(finding.toString()).contains("can not be read: more than 16777216 bytes"));
    }
}
