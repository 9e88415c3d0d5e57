package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Files with mistakes: whatever it is, it is told with its place, and the node stays as it was. */
final class MutatedImportTest {
    private static final String GOOD = """
        net:
            - net type: tcp
              local NI(s):
                - interfaces:
                      0: eth0
                  tunables:
                      peer_timeout: 100
                      credits: 128
                  lnd tunables:
                      conns_per_peer: 2
                  CPT: "[0]"
            - net type: tcp1
              interfaces:
                  0: eth1
        peer:
            - primary nid: 127.99.0.12@tcp
              Multi-Rail: True
              peer ni:
                - nid: 127.99.0.[12-14]@tcp
        route:
            - net: tcp5
              gateway: 127.99.1.12@tcp1
              hop: 2
        global:
            retry_count: 3
            transaction_timeout: 80
        udsp:
            - idx: 0
              src: tcp
              action: {priority: 0}
        buffers:
            tiny: 512
        """;

    private static final String ODD = "[]{}:#&*!|>'\"%@`,-? \n\t0xz~\u0000é";

    private static String mutated(Random chance) {
        StringBuilder text = new StringBuilder(GOOD);
        for (int i = chance.nextInt(3); i >= 0; i--) {
            int at = chance.nextInt(text.length());
            switch (chance.nextInt(4)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.insert(at, ODD.charAt(chance.nextInt(ODD.length())));
                case 2 -> text.setCharAt(at, ODD.charAt(chance.nextInt(ODD.length())));
                default -> text.insert(at, text.substring(at, Math.min(text.length(), at + chance.nextInt(40))));
            }
        }
        return text.toString();
    }

    @Test
    void nothingBreaksAndNothingIsHalfDone() throws IOException {
        int files = Boolean.getBoolean("railyard.long") ? 10_000 : 1000;
        Random chance = new Random(20261120);
        try (World world = new World()) {
            world.run("lnet configure");
            String before = world.run("export --backup").out();
            for (int i = 0; i < files; i++) {
                String text = mutated(chance);
                World.Result check = world.run("guest1", List.of("import", "--check"), text);
                if (check.exit() != 0) {
                    assertThat(check.err()).as(text).contains("errno: -", "stdin");
                }
                assertThat(check.out() + check.err()).as(text).doesNotContain("Exception", "\tat ");
            }
            assertThat(world.run("export --backup").out()).isEqualTo(before);
            for (int i = 0; i < files / 50; i++) {
                String text = mutated(chance);
                World.Result done = world.run("guest1", List.of("import"), text);
                if (done.exit() == 0) {
                    world.run("undo");
                }
                assertThat(world.run("export --backup").out()).as(text).isEqualTo(before);
            }
        }
    }
}
