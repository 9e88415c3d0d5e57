package org.railyard.node.o2ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.railyard.base.Errno;
import org.railyard.base.ErrnoException;
import org.railyard.base.host.Host;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.LNetConfig;
import org.railyard.lnet.api.NiInfo;
import org.railyard.lnet.lnd.NiRequest;
import org.railyard.lnet.nid.Net;
import org.railyard.lnet.nid.Nid;
import org.railyard.socklnd.SockLndProvider;
import org.railyard.socklnd.tune.SockLndConfig;
import org.railyard.testkit.Requirement;
import org.railyard.verbs.VerbsException;
import org.railyard.verbs.VerbsProvider;

/** Cards are looked for when the first NI needs one; a node without them does the rest of its work. */
final class CardsWhenNeededTest {
    private static final String LIBRARIES = "libibverbs|librdmacm";

    /** Cards of this machine, which fail as on a machine without them where there are some. */
    private static final class Watched implements CardKind {
        private final CardKind cards = IbvCards.byName();
        private boolean asked;

        @Override
        public String name() {
            return cards.name();
        }

        @Override
        public VerbsProvider open(Host host, List<String> interfaces) {
            asked = true;
            cards.open(host, interfaces).close();
            throw new VerbsException(VerbsException.Code.ENODEV, "the machine has cards, which are not for tests");
        }
    }

    private static List<String> mapped() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.matches(".*(" + LIBRARIES + ").*"))
                .toList();
    }

    @Test
    @Requirement({"ibv-001", "ibv-003"})
    void nothingNativeIsTouchedBeforeAnNiNeedsACard() throws Exception {
        Watched cards = new Watched();
        DaemonCards daemon = new DaemonCards(Map.of("verbs", "ibv"), List.of(cards), _ -> 0);
        SockLndConfig sockets = SockLndConfig.builder().set("accept", "none").build();
        try (LNet node = LNet.start(LNetConfig.builder()
                .lnd(new SockLndProvider(sockets))
                .lnd(daemon.lnd())
                .ni(NiRequest.ofNid(Nid.parse("127.0.0.1@tcp")))
                .build())) {
            assertThat(cards.asked).isFalse();
            assertThat(mapped()).isEmpty();

            assertThatThrownBy(() -> node.addNi(NiRequest.ofInterface(Net.parse("o2ib"), "ib0")))
                    .isInstanceOfSatisfying(
                            ErrnoException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV))
                    .hasMessageContaining("--verbs ibv: ");
            assertThat(cards.asked).isTrue();
            // Where the libraries are installed, they are there from now on.
            if (Files.exists(Path.of("/usr/lib/x86_64-linux-gnu/libibverbs.so.1"))) {
                assertThat(mapped()).isNotEmpty();
            }
            assertThat(node.nis())
                    .as("its other NIs stay")
                    .extracting(NiInfo::nid)
                    .contains(Nid.parse("127.0.0.1@tcp"));
        }
    }
}
