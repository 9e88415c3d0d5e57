package org.railyard.itest.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.railyard.itest.kit.Await;
import org.railyard.testkit.BesideOthers;
import org.railyard.testkit.NeedsCommand;
import org.railyard.testkit.NeedsFile;
import org.railyard.testkit.NeedsRoot;

/**
 * The Debian package that {@code mvn -Pdist,quick package} made before, installed into a copy of this machine and used
 * as its administrator would; without systemd, so what the unit says is done by hand. With it: {@link ServicesTest}.
 */
@EnabledIfSystemProperty(
        named = "railyard.long",
        matches = "true",
        disabledReason = "a package is installed: only with -Plong")
@NeedsRoot
@NeedsCommand({"bash", "dpkg-deb", "ip", "man", "setpriv", "unshare", "useradd"})
@NeedsFile(DebianPackageTest.MADE)
@BesideOthers
@Timeout(value = DebianPackageTest.LIMIT_MINUTES, unit = TimeUnit.MINUTES)
final class DebianPackageTest {
    static final String MADE = "../../dist/packages/target";
    static final int LIMIT_MINUTES = 5;

    static final String NET = """
        net:
            - net type: tcp
              local NI(s):
                - interfaces:
                      0: lo
        """;

    @TempDir
    private Path folder = Path.of("");

    /** Returns the package with such an ending. */
    static Path made(String ending) throws IOException {
        try (Stream<Path> files = Files.list(Path.of(MADE))) {
            List<Path> packages =
                    files.filter(file -> file.toString().endsWith(ending)).toList();
            assertThat(packages).as("packages in " + MADE).hasSize(1);
            return packages.getFirst();
        }
    }

    /** Returns a copy of this machine on which the package is installed. */
    private ScratchRoot installed() throws IOException {
        ScratchRoot root = new ScratchRoot(folder, made(".deb"));
        root.run("dpkg --purge railyard && dpkg --install /package");
        return root;
    }

    /** Starts the service as systemd would do it by the unit, and waits until it can be controlled. */
    private static void startService(ScratchRoot root) throws IOException {
        List<String> capabilities = root.unit("lnetd.service", "CapabilityBoundingSet");
        assertThat(root.unit("lnetd.service", "AmbientCapabilities")).isEqualTo(capabilities);
        assertThat(capabilities).containsExactly("CAP_NET_BIND_SERVICE");
        assertThat(root.unit("lnetd.service", "NoNewPrivileges")).containsExactly("yes");
        assertThat(root.unit("lnetd.service", "RuntimeDirectory")).containsExactly("railyard");
        assertThat(root.unit("lnetd.service", "StateDirectory")).containsExactly("railyard");
        String user = root.unit("lnetd.service", "User").getFirst();
        String group = root.unit("lnetd.service", "Group").getFirst();
        String file = root.unit("lnetd.service", "EnvironmentFile").getFirst().substring(1);
        String socket = root.unit("lnetd.service", "Environment").getFirst();
        String program = root.unit("lnetd.service", "ExecStart").getFirst();
        // What an earlier one said would be taken for what this one says.
        root.run("install -d -o " + user + " -g " + group + " /run/railyard; : > /run/lnetd.log");
        root.run("(. " + file + "; export " + socket + "; STATE_DIRECTORY=/var/lib/railyard"
                + " exec setpriv --reuid " + user + " --regid " + group + " --init-groups --no-new-privs"
                + " --inh-caps=-all,+net_bind_service --ambient-caps=-all,+net_bind_service"
                + " --bounding-set=-all,+net_bind_service " + program + ") >/run/lnetd.log 2>&1 &\n"
                + "service=$!");
        Await.until("lnetd runs", () -> {
            try {
                // It ends at once if the options of the package are wrong: then this fails, with what it said.
                return root.run("cat /run/lnetd.log; kill -0 $service").contains("controlled at");
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static void stopService(ScratchRoot root) throws IOException {
        int success =
                Integer.parseInt(root.unit("lnetd.service", "SuccessExitStatus").getFirst());
        root.run(success, "kill $service; wait $service");
    }

    private static String asUser(String name, String command) {
        return "setpriv --reuid " + name + " --regid " + name + " --init-groups " + command;
    }

    @Test
    void theServiceRunsAsItsUnitSaysAndKeepsItsConfiguration() throws IOException {
        try (ScratchRoot root = installed()) {
            root.run("cat > /etc/railyard/lnet.conf <<'END'\n" + NET + "END");
            startService(root);
            assertThat(root.run("lnetctl net show")).contains("127.0.0.1@tcp", "0: lo");
            assertThat(root.run("stat -c '%U %G %a' /run/railyard/lnetd.sock")).startsWith("railyard railyard 660");

            root.run("useradd railyard-itest-a; useradd -G railyard railyard-itest-b");
            assertThat(root.run(asUser("railyard-itest-b", "lnetctl net show"))).contains("127.0.0.1@tcp");
            assertThat(root.run(234, asUser("railyard-itest-a", "lnetctl net show")))
                    .contains("no permission");

            root.run("lnetctl set transaction_timeout 77");
            stopService(root);
            assertThat(root.run("stat -c '%U %a' /var/lib/railyard/lnetd.yaml")).startsWith("railyard ");
            startService(root);
            assertThat(root.run("lnetctl global show")).contains("transaction_timeout: 77");
            stopService(root);
        }
    }

    @Test
    void programsPagesAndCompletionsAreWhereTheyAreLookedFor() throws IOException {
        try (ScratchRoot root = installed()) {
            assertThat(root.run("railyard --version")).startsWith("railyard ");
            for (String page : List.of("lnetd", "lnetctl", "lst", "railyard", "railyard-sm")) {
                assertThat(root.run("man " + page)).contains("NAME", page + " ");
            }
            assertThat(root.run("bash -c '. /usr/share/bash-completion/completions/lnetctl;"
                            + " COMP_WORDS=(lnetctl net sh); COMP_CWORD=2; COMP_LINE=\"${COMP_WORDS[*]}\";"
                            + " COMP_POINT=${#COMP_LINE}; _lnetctl; echo \"${COMPREPLY[@]}\"'"))
                    .startsWith("show");
            root.run("railyard fabric generate torus 3x3x3 --out /torus.net --conf /torus.conf");
            assertThat(root.run("railyard sm --fabric /torus.net --conf /torus.conf"))
                    .contains("27 switches", "0 requests without answer");
            // Options of the service that is not enabled: a file is missing that only the administrator can write.
            assertThat(root.run(2, "(. /etc/default/railyard-sm; railyard sm $SM_OPTIONS)"))
                    .contains("/etc/railyard/torus-2QoS.conf: no such file");
        }
    }

    @Test
    void anUpdateKeepsWhatWasChangedAndAPurgeLeavesNothing() throws IOException {
        try (ScratchRoot root = installed()) {
            root.run("""
                echo '# mine' >> /etc/railyard/lnet.conf
                echo '# mine' >> /etc/default/railyard-sm
                echo '# kept' > /var/lib/railyard/lnetd.yaml
                dpkg-deb -R /package /next && rm /package
                sed -i 's/^Version: .*/Version: 99/' /next/DEBIAN/control
                echo '# of version 99' >> /next/etc/default/lnetd
                dpkg-deb -Znone -b /next /next.deb && rm -r /next && dpkg --install /next.deb\
                """);
            assertThat(root.run("dpkg-query -W -f '${Version} ${Status}' railyard"))
                    .startsWith("99 install ok installed");
            assertThat(root.run("tail -n 1 /etc/railyard/lnet.conf /etc/default/railyard-sm"))
                    .containsSubsequence("# mine", "# mine");
            assertThat(root.run("cat /etc/default/lnetd")).contains("# of version 99");

            root.run("dpkg --remove railyard");
            assertThat(root.run("cat /etc/railyard/lnet.conf")).contains("# mine");
            assertThat(root.run("cat /var/lib/railyard/lnetd.yaml")).contains("# kept");
            root.run("dpkg --purge railyard");
            assertThat(root.run("find /etc /usr/bin /usr/lib/railyard /usr/lib/systemd /usr/share /var/lib"
                            + " -name '*railyard*' -o -name 'lnetd*' -o -name 'lnetctl*' 2>/dev/null; true"))
                    .isBlank();
            root.run("getent passwd railyard && getent group railyard");
        }
    }
}
