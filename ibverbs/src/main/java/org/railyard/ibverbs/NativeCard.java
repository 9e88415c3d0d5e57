package org.railyard.ibverbs;

/**
 * A device that librdmacm has opened.
 *
 * @param name for example {@code mlx5_0}
 * @param context address of its {@code ibv_context}
 * @param asyncFd where it tells what happens to it
 */
record NativeCard(String name, long context, int asyncFd) {}
