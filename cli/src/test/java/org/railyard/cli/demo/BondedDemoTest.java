package org.railyard.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.testkit.Requirement;

/** The demo over InfiniBand: what it promises. */
class BondedDemoTest {
    private static final int SECONDS = 10;

    private static String shown() {
        StringWriter text = new StringWriter();
        DemoFigures figures = new BondedDemo(new PrintWriter(text), SECONDS).run();
        assertThat(figures.isGood()).isTrue();
        return text.toString();
    }

    @Test
    @Requirement({"cb-301", "cb-302", "cb-303"})
    void aPortThatGoesDownIsLeftAloneAndUsedAgainWhenItIsBack() {
        String text = shown();
        List<String> lines = text.lines().toList();
        assertThat(lines).anyMatch(line -> line.startsWith("ib1 down") && line.contains("ib1 0,"));
        assertThat(lines).anyMatch(line -> line.startsWith("ib1 all lanes") && !line.contains("ib1 0,"));
        assertThat(lines.stream().filter(line -> line.contains("new tables by torus-2QoS")))
                .hasSize(2);
        assertThat(lines.stream().filter(line -> line.startsWith("route ") && line.contains("connected")))
                .hasSize(3);
    }
}
