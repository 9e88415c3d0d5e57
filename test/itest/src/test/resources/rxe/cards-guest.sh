#!/usr/bin/env bash
# Builds the first file system of a guest that has the kernel's rdma_rxe and sees the host's files: cards-guest.sh INIT KERNEL_ROOT OUT
#   INIT         its first program
#   KERNEL_ROOT  / or a folder into which a package linux-image-*-amd64 was unpacked
#   OUT          folder for vmlinuz and initrd.gz
set -euo pipefail
init=$1 kernel_root=$2 out=$3
kernel=$(find "$kernel_root/boot" -maxdepth 1 -name 'vmlinuz-*' | sort -V | tail -1)
modules=$kernel_root/lib/modules/${kernel##*/vmlinuz-}
[[ -n $kernel && -d $modules ]] || { echo "no kernel with modules in $kernel_root" >&2; exit 1; }
# A package that was only unpacked has no list of what needs what.
if [[ ! -e $modules/modules.dep ]]; then
    depmod=$(PATH=$PATH:/usr/sbin:/sbin command -v depmod) || depmod="$(command -v busybox) depmod"
    $depmod -b "$kernel_root" "${kernel##*/vmlinuz-}"
fi

root=$out/root
mkdir -p "$root"/{bin,modules,host,proc,sys,dev}
cp "$init" "$root/init"
chmod +x "$root/init"
cp "$(command -v busybox)" "$root/bin/busybox"
# It may be one that needs libraries.
{ ldd "$root/bin/busybox" || true; } 2>/dev/null | { grep -o '/[^ :]*\.so[^ :]*' || true; } | while read -r library; do
    mkdir -p "$root${library%/*}"
    cp -L "$library" "$root$library"
done

# Modules in the order in which they can be loaded. Without crc32 the device can not be made.
for name in crc32_generic dummy virtio_pci virtio_net 9pnet_virtio 9p ib_uverbs rdma_ucm rdma_rxe; do
    line=$(grep -E "/$name\.ko[.a-z]*:" "$modules/modules.dep") || continue
    tr ' ' '\n' <<<"${line#*:}" | tac
    echo "${line%%:*}"
done | awk 'NF && !seen[$0]++' | while read -r file; do
    cp "$modules/$file" "$root/modules/"
    echo "${file##*/}"
done >"$root/modules/order"

(cd "$root" && find . | cpio -o -H newc --quiet) | gzip -1 >"$out/initrd.gz"
cp "$kernel" "$out/vmlinuz"
