package org.railyard.lnet.api;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** All sets of options that there can be: an MD is made for many an operation, its set need not. */
final class OptionSets {
    private static final MdOption[] OPTIONS = MdOption.values();

    /** By which options are in them, a bit for each ordinal. */
    private static final List<Set<MdOption>> ALL =
            IntStream.range(0, 1 << OPTIONS.length).mapToObj(OptionSets::make).toList();

    private OptionSets() {}

    private static Set<MdOption> make(int bits) {
        EnumSet<MdOption> made = EnumSet.noneOf(MdOption.class);
        for (MdOption option : OPTIONS) {
            if ((bits & 1 << option.ordinal()) != 0) {
                made.add(option);
            }
        }
        return Collections.unmodifiableSet(made);
    }

    /** Returns the immutable set that equals the given one, in the order of the options. */
    static Set<MdOption> of(Set<MdOption> options) {
        int bits = 0;
        for (MdOption option : options) {
            bits |= 1 << option.ordinal();
        }
        return ALL.get(bits);
    }
}
