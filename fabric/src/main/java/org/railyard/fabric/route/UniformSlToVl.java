package org.railyard.fabric.route;

/** One table everywhere. */
record UniformSlToVl(long everywhere) implements SlToVl {
    @Override
    public long table(int switchIndex, int in, int out) {
        return everywhere;
    }

    @Override
    public long endTable(int endPort) {
        return everywhere;
    }
}
