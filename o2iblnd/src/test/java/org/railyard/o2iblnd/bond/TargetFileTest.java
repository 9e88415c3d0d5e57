package org.railyard.o2iblnd.bond;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.railyard.base.ErrnoException;
import org.railyard.lnet.nid.Nid;
import org.railyard.testkit.Requirement;

/** The target file, and the list that it fills (spec 21 §3). */
class TargetFileTest {
    private static TargetFile.Content parse(String text) {
        return TargetFile.parse("o2ibs.conf", text);
    }

    private static List<String> texts(String text) {
        return parse(text).targets().stream().map(Target::toString).toList();
    }

    private static String addresses(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> "10.3.3." + i).collect(Collectors.joining(" "));
    }

    @Test
    @Requirement({"cb-020", "cb-022", "cb-304"})
    void theExamplesOfTheDesign() {
        assertThat(texts("10.1.1.2@o2ib0 10.3.3.3 10.3.3.4\n10.1.1.3@o2ib0 10.3.3.5 10.3.3.6\n"))
                .containsExactly("10.1.1.2@o2ib 10.3.3.3 10.3.3.4", "10.1.1.3@o2ib 10.3.3.5 10.3.3.6");
        assertThat(texts("10.1.1.2@o2ib0 10.1.1.2, 10.1.1.4\n10.1.1.3@o2ib1 10.1.1.3, 10.1.1.5"))
                .containsExactly("10.1.1.2@o2ib 10.1.1.2 10.1.1.4", "10.1.1.3@o2ib1 10.1.1.3 10.1.1.5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.1.1.2@o2ib 10.1.1.2 10.1.1.4",
                "10.1.1.2@o2ib,10.1.1.2,10.1.1.4",
                "  10.1.1.2@o2ib0 \t 10.1.1.2 , ,10.1.1.4  # both cards",
                "\uFEFF10.1.1.2@o2ib 10.1.1.2 10.1.1.4\r\n",
                "# comment\n\n   \n10.1.1.2@o2ib 10.1.1.2\t10.1.1.4#\n"
            })
    @Requirement({"cb-020", "cb-021", "cb-304"})
    void blanksCommasAndComments(String text) {
        assertThat(texts(text)).containsExactly("10.1.1.2@o2ib 10.1.1.2 10.1.1.4");
        assertThat(parse(text).findings()).isEmpty();
    }

    @Test
    @Requirement({"cb-021", "cb-304"})
    void aCommaAtTheEndIsNoted() {
        TargetFile.Content content = parse("10.1.1.2@o2ib 10.1.1.2,");
        assertThat(content.targets()).hasSize(1);
        assertThat(content.findings()).extracting(BondFinding::severity).containsExactly(BondFinding.Severity.INFO);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.1.1.2@tcp 10.1.1.2",
                "10.1.1.2 10.1.1.3",
                "10.1.1.2@o2ib",
                "10.1.1.2@o2ib host",
                "10.1.1.2@o2ib 10.1.1.[2-3]",
                "10.1.1.2@o2ib 10.1.1.256",
                "10.1.1.2@o2ib 10.1.1.2 0.0.0.0",
                "10.1.1.2@o2ib 224.0.0.1",
                "10.1.1.2@o2ib 255.255.255.255",
                "10.1.1.2@o2ib 10.1.1",
                "10.1.1.2@o2ibx 10.1.1.3",
                "*@o2ib 10.1.1.3",
                "@ 10.1.1.3",
                ",10.1.1.2@o2ib 10.1.1.3",
                ",",
                "2001:db8::1@o2ib 10.1.1.2"
            })
    @Requirement({"cb-023", "cb-120", "cb-304"})
    void aLineThatCanNotBeReadIsSkippedAlone(String line) {
        TargetFile.Content content = parse("10.9.9.1@o2ib 10.9.9.1\n" + line + "\n10.9.9.2@o2ib 10.9.9.2\n");
        assertThat(content.targets()).hasSize(2);
        assertThat(content.findings()).anySatisfy(finding -> {
            assertThat(finding.isError()).isTrue();
            assertThat(finding.id()).isEqualTo("cb-120");
            assertThat(finding.subject()).isEqualTo("o2ibs.conf, line 2");
            assertThat(finding.text()).contains("skipped");
        });
    }

    @Test
    @Requirement({"cb-023", "cb-304"})
    void sixteenAddressesAndNotOneMore() {
        assertThat(parse("10.1.1.2@o2ib " + addresses(16)).targets().getFirst().ips())
                .hasSize(16);
        TargetFile.Content content = parse("10.1.1.2@o2ib " + addresses(17));
        assertThat(content.targets()).isEmpty();
        assertThat(content.findings().getFirst().text()).contains("17 addresses", "1 to 16");
    }

    @Test
    @Requirement({"cb-024", "cb-304"})
    void whatComesTwice() {
        TargetFile.Content content =
                parse("10.1.1.2@o2ib0 10.1.1.2 10.1.1.2 10.1.1.4\n10.1.1.2@o2ib 10.1.1.6\n10.1.1.2@o2ib1 10.1.1.7");
        assertThat(content.targets())
                .extracting(Target::toString)
                .containsExactly("10.1.1.2@o2ib 10.1.1.6", "10.1.1.2@o2ib1 10.1.1.7");
        assertThat(content.findings())
                .extracting(BondFinding::severity)
                .containsExactly(BondFinding.Severity.WARNING, BondFinding.Severity.WARNING);
    }

    @Test
    void manyMistakesAreCounted() {
        TargetFile.Content content = parse("nonsense\n".repeat(TargetFile.MAX_FINDINGS + 5));
        assertThat(content.findings()).hasSize(TargetFile.MAX_FINDINGS + 1);
        assertThat(content.findings().getLast().text()).contains("5 more findings");
    }

    @Test
    @Requirement({"cb-022", "cb-025", "cb-027"})
    void targetsAreFoundByNidAndNet() {
        Targets targets = new Targets(
                parse("10.1.1.2@o2ib 10.1.1.2\n10.1.1.2@o2ib1 10.1.1.3").targets());
        List<Nid> told = new ArrayList<>();
        targets.listen(told::add);
        Nid first = Nid.parse("10.1.1.2@o2ib");
        Nid second = Nid.parse("10.1.1.2@o2ib1");
        assertThat(targets.find(first)).isNotEqualTo(targets.find(second)).isNotNull();
        assertThat(targets.find(Nid.parse("10.1.1.2@o2ib2"))).isNull();
        assertThat(targets.put(new Target(first, List.of(0x0A000001, 0x0A000002))))
                .isNotNull();
        assertThat(targets.list()).extracting(Target::nid).containsExactly(first, second);
        assertThat(targets.remove(first)).isEqualTo(new Target(first, List.of(0x0A000001, 0x0A000002)));
        assertThat(targets.find(first)).isNull();
        assertThat(told).containsExactly(first, first);
    }

    @Test
    void targetsHaveALimit() {
        Targets targets = new Targets();
        for (int i = 0; i < Targets.MAX_TARGETS; i++) {
            targets.put(new Target(Nid.ofNid4(Nid.parse("10.0.0.1@o2ib").nid4() + i), List.of(0x0A000001)));
        }
        assertThatThrownBy(() -> targets.put(new Target(Nid.parse("10.0.0.1@o2ib7"), List.of(0x0A000001))))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("the most");
    }
}
