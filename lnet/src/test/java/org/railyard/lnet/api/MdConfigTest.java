package org.railyard.lnet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a memory descriptor is to be. */
class MdConfigTest {
    @Test
    void keepsEachSetOfOptionsAndItsOrder() {
        MdOption[] all = MdOption.values();
        for (int bits = 0; bits < 1 << all.length; bits++) {
            EnumSet<MdOption> given = EnumSet.noneOf(MdOption.class);
            for (MdOption option : all) {
                if ((bits & 1 << option.ordinal()) != 0) {
                    given.add(option);
                }
            }
            MdConfig md = MdConfig.of().withOptions(given.toArray(new MdOption[0]));
            assertThat(md.options()).containsExactlyElementsOf(given);
        }
    }

    @Test
    void optionsDoNotFollowTheSetTheyWereGivenAs() {
        Set<MdOption> given = new HashSet<>(Set.of(MdOption.OP_GET));
        MdConfig md = new MdConfig(MdConfig.of().memory(), 1, 0, given, false, null, null, 0);
        given.add(MdOption.OP_PUT);
        assertThat(md.options()).containsExactly(MdOption.OP_GET);
        assertThatThrownBy(() -> md.options().add(MdOption.OP_PUT)).isInstanceOf(UnsupportedOperationException.class);
    }
}
