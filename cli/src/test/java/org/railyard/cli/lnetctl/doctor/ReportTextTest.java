package org.railyard.cli.lnetctl.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.doctor.Finding;
import org.railyard.doctor.Report;
import org.railyard.doctor.Severity;

/** The report as people read it. */
final class ReportTextTest {
    private static Finding finding(Severity severity, String means, String... mend) {
        return new Finding("mtu", severity, "net tcp", "different MTUs: eth0 1400, eth1 1500", means, List.of(mend));
    }

    @Test
    void findingsWithWhatTheyMeanAndHowTheyAreMended() {
        Report report = new Report(
                List.of(
                        finding(Severity.INFO, "little", "ip link set dev eth1 mtu 1400", "or nothing"),
                        finding(Severity.ERROR, "much", "ip link set dev eth1 mtu 1400")),
                List.of("ways: ip is missing"));
        assertThat(ReportText.of(report)).isEqualTo("""
            ERROR mtu: net tcp
              found  different MTUs: eth0 1400, eth1 1500
              means  much
              mend   ip link set dev eth1 mtu 1400

            INFO mtu: net tcp
              found  different MTUs: eth0 1400, eth1 1500
              means  little
              mend   ip link set dev eth1 mtu 1400
                     or nothing

            not checked: ways: ip is missing

            doctor: found 1 error, 1 info
            """);
    }

    @Test
    void oneBlockForEachCause() {
        List<Finding> findings = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            findings.add(new Finding(
                    "peer-absent",
                    Severity.ERROR,
                    "peer " + i,
                    "it is silent",
                    "it is off",
                    List.of("lnetctl ping " + i, "lnetctl net show")));
        }
        String text = ReportText.of(new Report(findings.subList(0, 2), List.of()));
        assertThat(text).isEqualTo("""
            ERROR peer-absent: 2 times
              found  peer 0: it is silent
                     peer 1: it is silent
              means  it is off
              mend   lnetctl ping 0
                     lnetctl net show
                     lnetctl ping 1

            doctor: found 2 errors
            """);
        assertThat(ReportText.of(new Report(findings, List.of())).lines().toList())
                .hasSize(2 + 24 + 1 + 24 + 1 + 2)
                .contains("         and 6 more; 'lnetctl doctor --yaml' has all");
    }

    @Test
    void longSentencesAreBrokenAndCommandsAreNot() {
        String words = "word ".repeat(60).strip();
        String command = "lnetctl " + words;
        Report report = new Report(List.of(finding(Severity.WARNING, words, command)), List.of());
        List<String> lines = ReportText.of(report).lines().toList();
        assertThat(lines).anyMatch(line -> line.endsWith(command));
        assertThat(lines.stream().filter(line -> !line.contains("lnetctl"))).allMatch(line -> line.length() <= 110);
        assertThat(String.join(" ", lines).replaceAll("\\s+", " ")).contains("means " + words + " mend");
    }

    @Test
    void nothingIsFound() {
        assertThat(ReportText.of(new Report(List.of(), List.of()))).isEqualTo("doctor: nothing found\n");
    }
}
