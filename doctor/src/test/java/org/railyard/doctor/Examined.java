package org.railyard.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** A node on a machine, both well at the beginning, and what the doctor says of them. */
abstract class Examined {
    final FakeFacts facts = new FakeFacts();
    final SetupBuilder setup = new SetupBuilder();

    Report examine() {
        Report report = Doctor.examine(setup.build(), facts);
        assertThat(report.findings().stream().flatMap(each -> each.mend().stream()))
                .as("lines that a shell takes: commands without places to fill in, or comments")
                .allMatch(line -> line.matches(
                        "(lnetctl|railyard|arping|ip|sysctl|ss|nft|mkdir|modprobe|printf|systemctl) .*|# .*"))
                .noneMatch(line -> line.matches("[^#]*( NID| IF|ADDRESS).*"));
        return report;
    }

    List<String> ids() {
        return examine().findings().stream().map(Finding::id).toList();
    }

    /** Returns the finding of a kind, of which there has to be one. */
    Finding only(String id) {
        List<Finding> found = examine().findings().stream()
                .filter(each -> each.id().equals(id))
                .toList();
        assertThat(found).as("findings " + id + " of " + ids()).hasSize(1);
        return found.getFirst();
    }
}
