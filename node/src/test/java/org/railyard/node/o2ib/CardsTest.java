package org.railyard.node.o2ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.lnet.Errno;
import org.railyard.lnet.LNetException;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.o2iblnd.bond.Finding;
import org.railyard.o2iblnd.bond.TargetFile;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsProvider;
import org.railyard.verbs.VerbsService;

/** Which cards a daemon uses, and what it says without any. */
class CardsTest {
    @TempDir
    private Path dir = Path.of("");

    /** A machine without the cards that it is asked for. */
    private static final class Absent implements VerbsService {
        private final Map<String, String> asked = new LinkedHashMap<>();

        @Override
        public String name() {
            return "absent";
        }

        @Override
        public VerbsProvider open(Map<String, String> options) {
            asked.putAll(options);
            throw new VerbsException(VerbsException.Code.ENODEV, "no such device");
        }
    }

    private static Cards open(Map<String, String> parameters, VerbsService... services) {
        return new Cards(parameters, List.of(services), ip -> 0);
    }

    @Test
    void withoutCardsANiIsRefusedWithWhatToDo() {
        NiRequest request = NiRequest.ofInterface(Net.parse("o2ib"), "ib0");
        Cards none = open(Map.of());
        assertThat(none.transport()).isNull();
        assertThatThrownBy(() -> ((NoCards) none.lnd()).resolve(request))
                .isInstanceOfSatisfying(
                        LNetException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV))
                .hasMessageContaining("no NI on o2ib: there are no RDMA devices")
                .hasMessageContaining("this build has no other kind");
        Cards some = open(Map.of("verbs", "none"), new Absent());
        assertThatThrownBy(() -> ((NoCards) some.lnd()).resolve(request))
                .hasMessageContaining("start it with --verbs and one of absent");
    }

    @Test
    void kindsAreFoundByName() {
        assertThatThrownBy(() -> open(Map.of("verbs", "roce"), new Absent()))
                .hasMessageContaining("--verbs is 'roce'; expected 'none' or one of absent");
        Absent absent = new Absent();
        assertThatThrownBy(() -> open(Map.of("verbs", "absent", "verbs.port", "7"), absent))
                .isInstanceOfSatisfying(
                        LNetException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV))
                .hasMessageContaining("--verbs absent: ENODEV: no such device");
        assertThat(absent.asked).containsExactly(Map.entry("port", "7"));
    }

    @Test
    void parametersOfTheTransport() {
        assertThat(List.of("verbs", "verbs.x", "o2iblnd.timeout", "o2ibs_conf")).allMatch(Cards::takes);
        assertThat(List.of("timeout", "verbose", "conns_per_peer")).noneMatch(Cards::takes);
        assertThatThrownBy(() -> open(Map.of("o2iblnd.timeouts", "1")))
                .hasMessageContaining("no o2iblnd tunable 'timeouts'");
    }

    @Test
    @Requirement({"cb-020", "cb-026"})
    void theTargetFile() throws IOException {
        assertThat(Cards.read(dir.resolve("nothing.conf"))).isEqualTo(TargetFile.Content.NONE);
        Path file = Files.writeString(dir.resolve("o2ibs.conf"), "10.1.1.2@o2ib 10.1.1.2, 10.1.1.4\n");
        assertThat(Cards.read(file).targets()).hasSize(1);
        assertThat(Cards.read(dir).findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR));
    }
}
