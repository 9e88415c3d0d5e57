package org.railyard.itest.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.itest.kit.Await;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsFile;
import org.railyard.testkit.NeedsRoot;

/** The services of the Debian package, run by systemd, on a copy of this machine. */
@EnabledIfSystemProperty(
        named = "railyard.long",
        matches = "true",
        disabledReason = "systemd is booted: only with -Plong")
@NeedsRoot
@NeedsCommand({"dpkg", "ip", "nsenter", "systemd-nspawn", "unshare", "useradd"})
@NeedsFile(DebianPackageTest.MADE)
@BesideOthers
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = DebianPackageTest.LIMIT_MINUTES, unit = TimeUnit.MINUTES)
final class ServicesTest {
    private static final String SM_FILES = "/etc/railyard/torus.net /etc/railyard/torus-2QoS.conf";

    private @Nullable BootedRoot booted;

    @BeforeAll
    void boot(@TempDir Path folder) throws IOException {
        booted = new BootedRoot(folder, DebianPackageTest.made(".deb"));
        run("dpkg --purge railyard && dpkg --install /package && systemctl daemon-reload");
    }

    @AfterAll
    void end() {
        // It is not there if booting failed.
        if (booted != null) {
            booted.close();
        }
    }

    private String run(int exit, String lines) {
        return Objects.requireNonNull(booted).run(exit, lines);
    }

    private String run(String lines) {
        return run(0, lines);
    }

    private void write(String file, String text) {
        run("cat > " + file + " <<'END'\n" + text + "END");
    }

    private String property(String unit, String name) {
        return run("systemctl show --value --property " + name + " " + unit).strip();
    }

    private void awaitState(String unit, String state) {
        Await.until(
                () -> unit + " is " + state + ": " + run("journalctl --no-pager --unit " + unit),
                () -> property(unit, "ActiveState").equals(state));
    }

    /** Kills it as the kernel does when memory is short, and waits until systemd has started it again. */
    private void kill(String unit) {
        String before = property(unit, "MainPID");
        run("systemctl kill --kill-who main --signal KILL " + unit);
        Await.until(
                unit + " runs again",
                () -> property(unit, "ActiveState").equals("active")
                        && !property(unit, "MainPID").equals(before));
    }

    @Test
    void aNodeIsReadyWhenItWasStartedAndIsBackAfterAKill() {
        write("/etc/railyard/lnet.conf", DebianPackageTest.NET);
        run("systemctl start lnetd");
        assertThat(run("lnetctl net show")).contains("127.0.0.1@tcp");
        run("useradd railyard-itest-a; useradd -G railyard railyard-itest-b");
        assertThat(run("su -s /bin/sh railyard-itest-b -c 'lnetctl net show'"))
                .as("the socket of the service is found")
                .contains("127.0.0.1@tcp");
        assertThat(run(234, "su -s /bin/sh railyard-itest-a -c 'lnetctl net show'"))
                .contains("no permission to control the lnetd at /run/railyard/lnetd.sock");
        run("lnetctl set transaction_timeout 77");
        kill("lnetd");
        assertThat(run("lnetctl global show")).contains("transaction_timeout: 77");
        run("systemctl stop lnetd");
        assertThat(property("lnetd", "Result")).isEqualTo("success");

        write("/etc/default/lnetd", "LNETD_OPTIONS=--nonsense\n");
        assertThat(run(1, "systemctl start lnetd")).contains("control process exited with error code");
        assertThat(property("lnetd", "ActiveState")).as("not tried again").isEqualTo("failed");
        assertThat(run("journalctl --no-pager --unit lnetd")).contains("unknown option '--nonsense'");
    }

    @Test
    void aSubnetManagerIsReadyReadsItsFilesAgainAndIsBackAfterAKill() {
        assertThat(run(1, "systemctl start railyard-sm")).contains("control process exited with error code");
        assertThat(property("railyard-sm", "ActiveState")).as("not tried again").isEqualTo("failed");
        assertThat(run("journalctl --no-pager --unit railyard-sm"))
                .contains("/etc/railyard/torus-2QoS.conf: no such file");

        run("set -- " + SM_FILES + "; railyard fabric generate torus 3x3x3 --out $1 --conf $2");
        run("sed -i 's,--device any,--fabric /etc/railyard/torus.net --live,' /etc/default/railyard-sm");
        run("systemctl start railyard-sm");
        Await.until("the first sweep is done", () -> run("railyard sm history").contains("done"));
        String lids = run("cat /var/lib/railyard-sm/guid2lid");
        assertThat(lids.lines().filter(line -> line.startsWith("0x"))).hasSize(54);

        run("systemctl reload railyard-sm");
        run("set -- " + SM_FILES + "; cp $2 /kept; echo nonsense >> $2");
        run(1, "systemctl reload railyard-sm");
        awaitState("railyard-sm", "active");
        assertThat(run("journalctl --no-pager --unit railyard-sm"))
                .containsPattern("torus-2QoS.conf:\\d+:1: found \"nonsense\"");

        run("set -- " + SM_FILES + "; cp /kept $2");
        kill("railyard-sm");
        assertThat(run("cat /var/lib/railyard-sm/guid2lid")).isEqualTo(lids);
        run("railyard sm stop");
        awaitState("railyard-sm", "inactive");
        assertThat(property("railyard-sm", "Result")).isEqualTo("success");
    }
}
