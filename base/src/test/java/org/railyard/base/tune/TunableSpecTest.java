package org.railyard.base.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.base.ErrnoException;
import org.railyard.base.tune.TunableSpec.Flag;

class TunableSpecTest {
    private enum Profile {
        OLD,
        NEW
    }

    private enum Key implements TunableKey {
        LIMIT(TunableSpec.number("limit", 150, "longest wait")
                .range(1, 86_400)
                .in("s")
                .in(Profile.OLD, 0x20)
                .parameter("mod_limit")
                .with(Flag.PER_NI)),
        AGAIN(TunableSpec.onOff("again", 1, "send it again").with(Flag.MODULE_PARAMETER, Flag.RAILYARD_ONLY)),
        RULE(TunableSpec.choice("rule", "late", "which counts", "", "early", "late"));

        @SuppressWarnings("ImmutableEnumChecker") // A record of copies.
        private final TunableSpec spec;

        Key(TunableSpec spec) {
            this.spec = spec;
        }

        @Override
        public TunableSpec spec() {
            return spec;
        }
    }

    @Test
    void valuesAreReadByNumberOrName() {
        assertThat(Key.LIMIT.spec().read(" 0x10 ")).isEqualTo(16);
        assertThat(Key.RULE.spec().read("early")).isEqualTo(1);
        assertThat(Key.RULE.spec().read("")).isZero();
        assertThat(Key.RULE.spec().read("2")).isEqualTo(2);
        assertThat(Key.LIMIT.spec().parse("many")).isEmpty();
        assertThat(Key.LIMIT.spec().parse("99999999999")).isEmpty();
        assertThat(Key.LIMIT.spec().defaultIn(Profile.OLD)).isEqualTo(32);
        assertThat(Key.LIMIT.spec().defaultIn(Profile.NEW)).isEqualTo(150);
    }

    @Test
    void aRefusalTellsRangeUnitAndDefault() {
        assertThatThrownBy(() -> Key.LIMIT.spec().read("0"))
                .isInstanceOf(ErrnoException.class)
                .hasMessageContaining("limit is '0'; expected 1…86400 s, the default is 150");
        assertThatThrownBy(() -> Key.AGAIN.spec().check(2))
                .hasMessageContaining("again is 2; expected 0 or 1, the default");
        assertThatThrownBy(() -> Key.RULE.spec().read("lat"))
                .hasMessageContaining("expected '' or early or late, the default is late");
    }

    @Test
    void anUnknownNameTellsThoseThatAreNear() {
        assertThat(TunableKey.named("x", Key.values(), "rule")).isEqualTo(Key.RULE);
        assertThatThrownBy(() -> TunableKey.named("x", Key.values(), "limt"))
                .hasMessageContaining("x has no tunable 'limt' (did you mean 'limit'?)");
        assertThatThrownBy(() -> TunableKey.named("x", Key.values(), "something"))
                .hasMessageContaining("expected one of limit, again, rule");
    }

    @Test
    void theTableHasWhatIsKnown() {
        assertThat(TunableTable.markdown(List.of(Key.values()))).isEqualTo("""
            | Name | Default | May be | Means |
            |---|---|---|---|
            | `limit` | 150 | 1…86400 s | longest wait (per NI); module parameter `mod_limit` |
            | `again` | 1 | 0 or 1 | send it again (module parameter only; Railyard only) |
            | `rule` | late | '' or early or late | which counts |
            """);
    }
}
