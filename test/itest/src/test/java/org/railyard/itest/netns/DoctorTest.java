package org.railyard.itest.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.cli.Main;
import org.railyard.control.DoctorOperation;
import org.railyard.doctor.Finding;
import org.railyard.doctor.Report;
import org.railyard.doctor.Severity;
import org.railyard.itest.kit.Await;
import org.railyard.node.control.RemoteDlc;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;
import org.railyard.testkit.Program;

/**
 * A daemon with two rails in one subnet, set up as the kernel does it by itself: what the doctor finds, and whether the
 * commands it tells mend it.
 */
@NeedsRoot
@NeedsCommand({"ip", "sysctl"})
@BesideOthers
@Order(6)
final class DoctorTest {
    private static final int LIMIT_SECONDS = 20;

    /** Limit of a ping. None of the peers answers. */
    private static final int SILENT_SECONDS = 1;

    @TempDir
    private Path dir = Path.of("");

    @Test
    void whatTheDoctorAdvisesMends() throws IOException, InterruptedException {
        Namespace.deleteLeftOvers();
        try (Namespace node = new Namespace();
                Namespace bridge = new Namespace()) {
            bridge.bridge("bridge");
            for (int rail = 0; rail < 2; rail++) {
                bridge.plug("bridge", "port" + rail, node, "rail" + rail);
                node.address("rail" + rail, "10.81.0." + (rail + 1) + "/24");
                // As many distributions have it.
                type(node, "sysctl -w net.ipv4.conf.rail" + rail + ".rp_filter=1");
            }
            Path config = Files.writeString(dir.resolve("node.yaml"), """
                net:
                    - net type: tcp
                      local NI(s):
                        - interfaces: {0: rail0}
                        - interfaces: {0: rail1}
                """);
            Path socket = dir.resolve("lnetd.sock");
            Process daemon = node.java(
                    Main.class, "lnetd", "--no-state", "--config", config.toString(), "--socket", socket.toString());
            try {
                Await.until("lnetd listens", () -> Files.exists(socket));
                // Asked from outside of its namespace, as an administrator would.
                examine(node, new RemoteDlc(socket));
            } finally {
                daemon.destroy();
                assertThat(daemon.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    /**
     * A switch in the middle that takes smaller packets than both ends: pings work, and large messages would stall.
     * Then the other machine has the address of this one, too.
     */
    @Test
    @NeedsCommand("arping")
    void aBlackHoleForLargePackets() throws IOException, InterruptedException {
        Namespace.deleteLeftOvers();
        try (Namespace node = new Namespace();
                Namespace other = new Namespace();
                Namespace bridge = new Namespace()) {
            bridge.bridge("bridge");
            bridge.plug("bridge", "left", node, "rail0");
            bridge.plug("bridge", "right", other, "rail0");
            node.address("rail0", "10.82.0.1/24");
            other.address("rail0", "10.82.0.2/24");
            node.ip("link set rail0 mtu 9000");
            other.ip("link set rail0 mtu 9000");
            bridge.ip("link set left mtu 9000");
            Path config = Files.writeString(dir.resolve("hole.yaml"), """
                net:
                    - net type: tcp
                      local NI(s):
                        - interfaces: {0: rail0}
                peer:
                    - primary nid: 10.82.0.2@tcp
                """);
            Path socket = dir.resolve("hole.sock");
            Process daemon = node.java(
                    Main.class, "lnetd", "--no-state", "--config", config.toString(), "--socket", socket.toString());
            try {
                Await.until("lnetd listens", () -> Files.exists(socket));
                assertThat(probed(new RemoteDlc(socket), "path-mtu"))
                        .singleElement()
                        .satisfies(finding -> assertThat(finding.found())
                                .isEqualTo("packets of 9000 bytes vanish on the way, those of 1500 bytes arrive"));
                bridge.ip("link set right mtu 9000");
                assertThat(probed(new RemoteDlc(socket), "path-mtu")).isEmpty();
                other.ip("addr add 10.82.0.1/24 dev rail0");
                assertThat(probed(new RemoteDlc(socket), "duplicate-address"))
                        .singleElement()
                        .satisfies(finding -> assertThat(finding.subject()).isEqualTo("10.82.0.1"));
                other.ip("addr del 10.82.0.1/24 dev rail0");
                assertThat(probed(new RemoteDlc(socket), "duplicate-address")).isEmpty();
            } finally {
                daemon.destroy();
                assertThat(daemon.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    /**
     * Peers that are silent for different reasons, and a gateway that nobody has ever been: told apart, and one mended
     * as it is advised.
     */
    @Test
    @NeedsCommand("nft")
    void whyPeersAreSilent() throws IOException, InterruptedException {
        Namespace.deleteLeftOvers();
        try (Namespace node = new Namespace();
                Namespace other = new Namespace();
                Namespace bridge = new Namespace()) {
            bridge.bridge("bridge");
            bridge.plug("bridge", "left", node, "rail0");
            bridge.plug("bridge", "right", other, "rail0");
            node.address("rail0", "10.84.0.1/24");
            for (int i = 2; i <= 4; i++) {
                other.address("rail0", "10.84.0." + i + "/24");
            }
            type(
                    other,
                    "nft 'add table inet filter; add chain inet filter input { type filter hook input priority 0; };"
                            + " add rule inet filter input ip daddr 10.84.0.2 tcp dport 988 drop; add rule inet filter"
                            + " input ip daddr 10.84.0.3 tcp dport 988 reject with icmpx admin-prohibited'");
            Path config = Files.writeString(dir.resolve("silent.yaml"), """
                net:
                    - net type: tcp
                      local NI(s):
                        - interfaces: {0: rail0}
                peer:
                    - primary nid: 10.84.0.2@tcp
                    - primary nid: 10.84.0.3@tcp
                    - primary nid: 10.84.0.4@tcp
                    - primary nid: 10.84.0.5@tcp
                route:
                    - net: tcp7
                      gateway: 10.84.0.9@tcp
                """);
            Path socket = dir.resolve("silent.sock");
            Process daemon = node.java(
                    Main.class, "lnetd", "--no-state", "--config", config.toString(), "--socket", socket.toString());
            try {
                Await.until("lnetd listens", () -> Files.exists(socket));
                List<Finding> found = why(new RemoteDlc(socket));
                assertThat(found)
                        .extracting(each -> each.id() + " " + each.subject())
                        .containsExactlyInAnyOrder(
                                "gateway-absent gateway 10.84.0.9@tcp",
                                "peer-absent peer 10.84.0.5@tcp",
                                "firewall-drops peer 10.84.0.2@tcp",
                                "firewall-prohibits peer 10.84.0.3@tcp",
                                "port-refused peer 10.84.0.4@tcp");
                found.stream()
                        .filter(each -> each.id().startsWith("firewall-"))
                        .flatMap(each -> each.mend().stream())
                        .forEach(command -> type(other, command));
                assertThat(why(new RemoteDlc(socket)))
                        .extracting(Finding::id)
                        .containsExactlyInAnyOrder(
                                "gateway-absent", "peer-absent", "port-refused", "port-refused", "port-refused");
            } finally {
                daemon.destroy();
                assertThat(daemon.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    private static List<Finding> why(RemoteDlc lnetd) {
        Report report = Report.ofDocument(lnetd.execute(new DoctorOperation.Examine(true, SILENT_SECONDS)));
        return report.findings().stream()
                .filter(each -> each.severity() == Severity.ERROR)
                .toList();
    }

    private static List<Finding> probed(RemoteDlc lnetd, String id) {
        Report report = Report.ofDocument(lnetd.execute(new DoctorOperation.Examine(true, SILENT_SECONDS)));
        return report.findings().stream()
                .filter(finding -> finding.id().equals(id))
                .toList();
    }

    private static void examine(Namespace node, RemoteDlc lnetd) {
        List<Finding> found = findings(lnetd);
        assertThat(found)
                .extracting(Finding::id)
                .containsExactlyInAnyOrder(
                        "rp-filter", "source-routing", "arp-ignore", "arp-ignore", "arp-announce", "arp-announce");
        assertThat(node.ip("route get 10.81.0.9 from 10.81.0.2")).contains("dev rail0");
        found.forEach(finding -> finding.mend().forEach(command -> type(node, command)));
        assertThat(node.ip("route get 10.81.0.9 from 10.81.0.2")).contains("dev rail1");
        assertThat(findings(lnetd)).isEmpty();

        type(node, "sysctl -w net.ipv4.conf.rail1.rp_filter=1");
        assertThat(findings(lnetd)).as("strict, and the way back is right").isEmpty();
        node.ip("link set rail1 down");
        assertThat(findings(lnetd)).extracting(Finding::id).contains("device-down");
    }

    private static List<Finding> findings(RemoteDlc lnetd) {
        Report report = Report.ofDocument(lnetd.execute(new DoctorOperation.Examine(false, null)));
        assertThat(report.notChecked()).isEmpty();
        return report.findings();
    }

    private static void type(Namespace node, String command) {
        Program.of("ip", "netns", "exec", node.name(), "sh", "-c", command).run();
    }
}
