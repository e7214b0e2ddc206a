#!/bin/sh
# Build and measure the printed programs of this folder on a machine with a GPU; nothing else is needed there but nvcc and a
# C compiler. `sh run.sh [ARCH]`; each game's totals on the device are compared with those of the processor.
cd "$(dirname "$0")" || exit 1
arch=${1:-sm_90}
for text in *.cu; do
  name=${text%.cu}
  (
    began=$(date +%s)
    cc -O2 -w -x c "$text" -o "$name.cpu" -lm 2> "$name.cc.log"
    timeout 480 nvcc -O3 -w -arch="$arch" -Xptxas -v "$text" -o "$name.gpu" > "$name.nvcc.log" 2>&1
    echo "$name: built, nvcc exit $?, $(($(date +%s) - began)) s" > "$name.built"
    timeout 120 "./$name.cpu" "$(cat "$name.few")" > "$name.cpu.out"
  ) &
done
wait
cat ./*.built
for text in *.cu; do
  name=${text%.cu}
  echo "== $name"
  grep -A1 "sum_blocks" "$name.nvcc.log" | grep -E "registers|stack" | head -2
  [ -x "$name.gpu" ] || { tail -n 3 "$name.nvcc.log"; continue; }
  few=$(cat "$name.few")
  timeout 60 "./$name.gpu" "$few" > "$name.gpu.out" || cat "$name.gpu.out"
  tail -n 1 "$name.cpu.out"
  if [ "$(head -n 1 "$name.cpu.out")" = "$(head -n 1 "$name.gpu.out")" ]; then echo "same totals, $few games"
  else echo "DIFFERENT totals"; head -n 1 "$name.cpu.out" "$name.gpu.out"; fi
  # Two matches for each thread, the second time: in the first round the program is brought to the device.
  rate=$(timeout 60 "./$name.gpu" 1081344 128 4224 2 | sed -n '$s/.* s, \([0-9]*\) games\/s.*/\1/p')
  timeout 60 "./$name.gpu" $((${rate:-0} + 1081344)) 128 4224 3 | tail -n 1
done
