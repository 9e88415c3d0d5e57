package org.railyard.node.o2ib;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.railyard.base.tune.TunableSpec.Flag;
import org.railyard.base.yaml.DocumentException;
import org.railyard.config.Configuration;
import org.railyard.o2iblnd.tune.O2ibTunable;

/** What each o2ib net may have of its own can be said in YAML, and nothing else. */
class TunablesOfNetsTest {
    /** Those of every transport, which stand elsewhere. */
    private static final Set<String> OF_ALL = Set.of("peer_timeout", "peer_credits", "peer_buffer_credits", "credits");

    private static Configuration read(String name, int value) throws DocumentException {
        return Configuration.read("c.yaml", """
            net:
              - net type: o2ib
                local NI(s):
                  - interfaces: {0: ib0}
                    lnd tunables: {%s: %d}
            """.formatted(name, value));
    }

    @ParameterizedTest
    @EnumSource(O2ibTunable.class)
    void thoseOfANetAreKnown(O2ibTunable tunable) throws DocumentException {
        String name = tunable == O2ibTunable.PEER_CREDITS_HIW ? "peercredits_hiw" : tunable.text();
        boolean own = tunable.spec().is(Flag.PER_NI) && !OF_ALL.contains(name);
        Configuration found = read(name, 1);
        assertThat(found.warnings().isEmpty()).as(found.warnings().toString()).isEqualTo(own);
        assertThat(found.nis().getFirst().request().lndTunables().containsKey(name))
                .isEqualTo(own);
    }

    @Test
    void othersAreNot() throws DocumentException {
        assertThat(read("nqps", 1).warnings()).hasSize(1);
    }
}
