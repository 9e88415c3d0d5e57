package org.railyard.dlc.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** A node on a machine, both well at the beginning, and what the doctor says of them. */
abstract class Examined {
    final FakeFacts facts = new FakeFacts();
    final SetupBuilder setup = new SetupBuilder();

    Report examine() {
        return Doctor.examine(setup.build(), facts);
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
