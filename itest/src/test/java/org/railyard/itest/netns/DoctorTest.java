package org.railyard.itest.netns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.cli.Main;
import org.railyard.dlc.api.DoctorOperation;
import org.railyard.dlc.doctor.Finding;
import org.railyard.dlc.doctor.Report;
import org.railyard.itest.kit.Await;
import org.railyard.node.control.RemoteDlc;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsRoot;

/** A daemon with two rails in one subnet, set up as the kernel does it by itself: what the doctor finds, and whether the commands it tells mend it. */
@NeedsRoot
@NeedsCommand({"ip", "sysctl"})
final class DoctorTest {
    private static final int LIMIT_SECONDS = 20;

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
        Report report = Report.ofDocument(lnetd.execute(new DoctorOperation.Examine(false)));
        assertThat(report.notChecked()).isEmpty();
        return report.findings();
    }

    private static void type(Namespace node, String command) {
        Shell.run("ip", "netns", "exec", node.name(), "sh", "-c", command);
    }
}
