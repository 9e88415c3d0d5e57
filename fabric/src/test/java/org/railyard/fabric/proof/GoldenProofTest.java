package org.railyard.fabric.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.railyard.fabric.golden.Golden;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.proof.CheckReport.Verdict;
import org.railyard.fabric.route.Routing;
import org.railyard.testkit.Requirement;

/** OpenSM's own tables: figures and verdicts of an independent all-pairs walk, which agree with ibdmchk on unicast. */
final class GoldenProofTest {
    private static final Pattern FIGURES = Pattern.compile("channels (\\d+) deps (\\d+) cyclic-SCCs (\\d+)");

    static Stream<Golden> folders() {
        return Golden.ALL.stream().map(Golden::new);
    }

    @ParameterizedTest
    @MethodSource("folders")
    @Requirement("t2q-046")
    void figuresAreThoseOfTheAllPairsWalk(Golden golden) {
        Fabric fabric = golden.fabric();
        Routing routing = golden.routing();
        CheckOptions exact = CheckOptions.DEFAULT.withHostChannels(true).withMulticast(false);
        golden.text("owncheck.txt").lines().forEach(line -> {
            Matcher figures = FIGURES.matcher(line);
            if (!figures.find()) {
                return;
            }
            boolean all = line.startsWith("ALL");
            CheckReport report = CreditLoopCheck.check(
                    fabric, routing, exact.withSwitchPorts(all).withMulticast(line.startsWith("CA-CA + multicast")));
            assertThat(report.faultCount()).isZero();
            assertThat(report.components()).as(line).isEqualTo(Integer.parseInt(figures.group(3)));
            assertThat(report.dependencies()).as(line).isEqualTo(Integer.parseInt(figures.group(2)));
            if (!all) {
                // The walk also counts channels that nothing waits for and that wait for nothing: between two switches'
                // ports 0.
                assertThat(report.channels()).as(line).isEqualTo(Integer.parseInt(figures.group(1)));
            }
        });
    }

    @ParameterizedTest
    @MethodSource("folders")
    void classesInsteadOfPairsGiveTheSameVerdict(Golden golden) {
        Fabric fabric = golden.fabric();
        Routing routing = golden.routing();
        CheckReport fast = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT);
        CheckReport exact = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT.withHostChannels(true));
        assertThat(fast.verdict()).isEqualTo(exact.verdict());
        assertThat(fast.components()).isEqualTo(exact.components());
        assertThat(lengths(fast)).isEqualTo(lengths(exact));
    }

    private static int[] lengths(CheckReport report) {
        return report.loops().stream().mapToInt(loop -> loop.waits().size()).toArray();
    }

    @ParameterizedTest
    @MethodSource("folders")
    void certificatesHoldAndOthersDoNot(Golden golden) {
        Fabric fabric = golden.fabric();
        Routing routing = golden.routing();
        CheckReport report = CreditLoopCheck.check(fabric, routing, CheckOptions.DEFAULT);
        assertThat(report.certificate().isPresent()).isEqualTo(report.verdict() == Verdict.CLEAN);
        report.certificate().ifPresent(certificate -> {
            assertThat(Verification.firstViolation(fabric, routing, CheckOptions.DEFAULT, certificate))
                    .isEmpty();
            assertThat(Verification.firstViolation(fabric, routing, CheckOptions.DEFAULT, upsideDown(certificate)))
                    .isPresent();
        });
    }

    private static Certificate upsideDown(Certificate certificate) {
        int[] channels = new int[certificate.size()];
        int[] numbers = new int[channels.length];
        for (int i = 0; i < channels.length; i++) {
            Channel channel = certificate.channel(i);
            channels[i] = channel.port() << 4 | channel.vl();
            numbers[i] = channels.length - certificate.number(channel.port(), channel.vl());
        }
        return new Certificate(channels, numbers);
    }
}
