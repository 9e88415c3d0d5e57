package org.railyard.itest.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsFile;
import org.railyard.testkit.NeedsRoot;

/** The services of the tar.gz in {@code /opt}, run by systemd, on a copy of this machine. */
@EnabledIfSystemProperty(
        named = "railyard.long",
        matches = "true",
        disabledReason = "systemd is booted: only with -Plong")
@NeedsRoot
@NeedsCommand({"ip", "nsenter", "systemd-nspawn", "tar", "unshare"})
@NeedsFile(DebianPackageTest.MADE)
@BesideOthers
@Timeout(value = DebianPackageTest.LIMIT_MINUTES, unit = TimeUnit.MINUTES)
final class UnpackedServicesTest {
    private static final String LNETCTL = "/opt/railyard/bin/lnetctl ";
    private static final String RAILYARD = "/opt/railyard/bin/railyard ";

    @Test
    void theServicesDoNotTouchEachOther(@TempDir Path folder) throws IOException {
        try (BootedRoot root = new BootedRoot(folder, DebianPackageTest.made(".tar.gz"))) {
            root.run(0, """
                rm -rf /opt/railyard* && tar -xzf /package -C /opt && ln -s /opt/railyard-* /opt/railyard
                cp /opt/railyard/share/service/*.service /etc/systemd/system
                sed -i 's,--device any,--fabric /torus.net --live,; s,/etc/railyard/torus-2QoS.conf,/torus.conf,'\
                    /etc/systemd/system/railyard-sm.service
                systemctl daemon-reload
                """);
            root.run(0, RAILYARD + "fabric generate torus 3x3x3 --out /torus.net --conf /torus.conf");
            root.run(0, "systemctl start lnetd && " + LNETCTL + "lnet configure");
            root.run(0, "systemctl start railyard-sm");
            assertThat(root.run(0, LNETCTL + "set transaction_timeout 77")).isEmpty();
            root.run(0, "systemctl restart lnetd");
            assertThat(root.run(0, LNETCTL + "global show")).contains("transaction_timeout: 77");
            root.run(0, "systemctl stop lnetd");
            assertThat(root.run(0, RAILYARD + "sm status")).contains("state: master");
        }
    }
}
