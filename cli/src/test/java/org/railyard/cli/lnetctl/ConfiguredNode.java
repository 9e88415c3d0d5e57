package org.railyard.cli.lnetctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Tests that begin with a node on which LNet is configured, without nets. */
abstract class ConfiguredNode {
    /** The node, and whoever types. A test may put another one in its place. */
    World world = make();

    private static World make() {
        try {
            return new World();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    final void configure() {
        assertThat(world.run("lnet configure").exit()).isZero();
    }

    @AfterEach
    final void close() {
        world.close();
    }

    final String backup() {
        return world.run("export --backup").out();
    }
}
