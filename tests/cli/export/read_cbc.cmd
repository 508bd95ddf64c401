# an answer in the form of cbc: the columns of one machine are 1, all others 0
trainrig export --budget 5000 --full -q -o p.lp
{
  echo 'Optimal - objective value -1903'
  for name in 'program_[0-9a-f]*' 'host[0-9]*_AMD_Ryzen_5_7600X_.*' 'gpu[0-9]*_NVIDIA_GeForce_RTX_3090_x2' \
    'memory[0-9]*_Corsair_Vengeance_DDR5_5600_.*' 'drives[0-9]*_Crucial_BX500_1TB' \
    'supply[0-9]*_ADATA_XPG_FUSION.*' 'chassis[0-9]*_Antec_C8'; do
    echo "7 $(grep -oE "^ $name( |\$)" p.lp | head -1) 1 0"
  done
} >p.sol
trainrig export --budget 5000 --full --read-solution p.sol -q | head -8
trainrig export --budget 5000 --full --read-solution p.sol -q --format csv | cut -d, -f1-5
sed -i '/supply/d' p.sol
trainrig export --budget 5000 --full --read-solution p.sol -q
